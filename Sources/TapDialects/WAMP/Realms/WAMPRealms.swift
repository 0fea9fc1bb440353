// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The realms of all routers that were seen, so that the sessions of one can be compared.
final class WAMPRealms {
  private var realms: [[UInt8]: WAMPRealm] = [:]
  /// The first realm seen for each address without port and realm name.
  private var first: [[UInt8]: WAMPRealm] = [:]
  /// Routers with a connection whose beginning was not captured, so that its realm is not known.
  private(set) var partialRouters: Set<[UInt8]> = []
  /// The router of the latest connection.
  private var latest: WAMPRouter?
  private let texts: WAMPPayloadTexts
  private let limits: Limits

  init(limits: Limits) {
    (self.limits, texts) = (limits, WAMPPayloadTexts(most: limits.publicationBytes))
  }

  /// The router of a connection: mostly the same as of the previous one.
  func router(_ opening: borrowing Opening) -> WAMPRouter {
    if let latest, latest.leads(opening) { return latest }
    let router = WAMPRouter(opening, self)
    latest = router
    return router
  }

  /// Nil when the limit of realms is reached.
  ///
  /// - Parameters:
  ///   - router: its address and port.
  ///   - host: the address alone.
  func realm(_ name: [UInt8], of router: [UInt8], host: [UInt8]) -> WAMPRealm? {
    let key = router + [.space] + name
    if let known = realms[key] { return known }
    guard realms.count < limits.realms, key.count <= 1024 else { return nil }
    let realm = WAMPRealm(limits, texts, isPartial: partialRouters.contains(router))
    realms[key] = realm
    let place = host + [.space] + name
    if let other = first[place] {
      // One router may listen on both ports, so neither shows all of the realm.
      (other.hasSibling, realm.hasSibling) = (true, true)
    } else {
      first[place] = realm
    }
    return realm
  }

  /// A session of this router is of an unknown realm: none of its realms is complete.
  func miss(_ router: [UInt8]) {
    // Beyond this limit no more realms are kept either.
    guard partialRouters.count < limits.realms, partialRouters.insert(router).inserted else {
      return
    }
    for (key, realm) in realms where key.starts(with: router + [.space]) { realm.isPartial = true }
  }
}
