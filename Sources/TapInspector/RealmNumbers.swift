// SPDX-License-Identifier: Apache-2.0

/// Numbers for the realms of all routers. A realm that all its sessions have left gets another
/// number with the next one: a router that was started again counts its ids from the beginning.
struct RealmNumbers {
  private struct Realm {
    var number: UInt32
    /// Connections with a session in it.
    var present = 0
  }

  /// By the number of router and name.
  private var realms: [Int32: Realm] = [:]
  private var latest: UInt32 = 0

  /// A session joins a realm.
  ///
  /// - Parameter place: the number of router and name; 0 when there is none.
  /// - Returns: 0 where the place has no number.
  mutating func join(_ place: Int32) -> UInt32 {
    if place == 0 { return 0 }
    if let known = realms[place], known.present > 0 {
      realms[place]?.present += 1
      return known.number
    }
    latest &+= 1
    realms[place] = Realm(number: latest, present: 1)
    return latest
  }

  mutating func leave(_ place: Int32) { realms[place]?.present -= 1 }
}
