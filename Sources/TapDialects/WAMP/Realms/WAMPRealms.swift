// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The realms of all routers that were seen, so that the sessions of one can be compared.
final class WAMPRealms {
  private var realms: [[UInt8]: WAMPRealm] = [:]
  private let limits: Limits

  init(limits: Limits) { self.limits = limits }

  /// Nil when there are more realms than are kept.
  func realm(_ name: [UInt8], of router: [UInt8]) -> WAMPRealm? {
    let key = router + [0x20] + name
    if let known = realms[key] { return known }
    guard realms.count < limits.realms, key.count <= 1024 else { return nil }
    let realm = WAMPRealm(limits.watchedEntries)
    realms[key] = realm
    return realm
  }
}
