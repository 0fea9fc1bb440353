// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The realms of all routers that were seen, so that the sessions of one can be compared.
final class WAMPRealms {
  private var realms: [[UInt8]: WAMPRealm] = [:]
  /// By the address without its port, and the realm: the first that was seen.
  private var first: [[UInt8]: WAMPRealm] = [:]
  /// Routers with a conversation that was captured from its middle on: its realm is not known.
  private(set) var partialRouters: Set<[UInt8]> = []
  /// The router of the connection that was opened last.
  private var latest: WAMPRouter?
  private let texts: WAMPPayloadTexts
  private let limits: Limits

  init(limits: Limits) {
    (self.limits, texts) = (limits, WAMPPayloadTexts(most: limits.publicationBytes))
  }

  /// The router that a connection leads to: mostly that of the one before.
  func router(_ opening: borrowing Opening) -> WAMPRouter {
    if let latest, latest.leads(opening) { return latest }
    let router = WAMPRouter(opening, self)
    latest = router
    return router
  }

  /// Nil when there are more realms than are kept.
  ///
  /// - Parameters:
  ///   - router: the address and port at which it answers.
  ///   - host: the address alone.
  func realm(_ name: [UInt8], of router: [UInt8], host: [UInt8]) -> WAMPRealm? {
    let key = router + [.space] + name
    if let known = realms[key] { return known }
    guard realms.count < limits.realms, key.count <= 1024 else { return nil }
    let realm = WAMPRealm(limits, texts, isPartial: partialRouters.contains(router))
    realms[key] = realm
    let place = host + [.space] + name
    if let other = first[place] {
      // One router may answer at both ports, so neither shows all of its realm.
      (other.hasSibling, realm.hasSibling) = (true, true)
    } else {
      first[place] = realm
    }
    return realm
  }

  /// A session of this router may be of any realm.
  func miss(_ router: [UInt8]) {
    // Of more routers, realms are not watched either.
    guard partialRouters.count < limits.realms, partialRouters.insert(router).inserted else {
      return
    }
    for (key, realm) in realms where key.starts(with: router + [.space]) { realm.isPartial = true }
  }
}
