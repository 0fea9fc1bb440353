// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The prefixes that PREFIX messages of one connection have declared. They are valid until
/// redeclared, or until the connection ends.
struct WAMPv1Prefixes {
  private var uris: [[UInt8]: [UInt8]] = [:]
  /// Bytes taken from the shared allowance.
  private var taken = 0
  private let limits: Limits

  init(limits: Limits) { self.limits = limits }

  /// Declares a prefix; false when there is no room for it.
  mutating func define(_ prefix: [UInt8], as uri: [UInt8]) -> Bool {
    let octets = prefix.count + uri.count
    guard limits.prefixBytes.take(octets) else {
      // The old meaning is not valid any more.
      if let old = uris.removeValue(forKey: prefix) { give(prefix.count + old.count) }
      return false
    }
    taken += octets
    if let old = uris.updateValue(uri, forKey: prefix) { give(prefix.count + old.count) }
    return true
  }

  private mutating func give(_ octets: Int) {
    limits.prefixBytes.give(octets)
    taken -= octets
  }

  /// The URI that a CURIE stands for; nil when its prefix was not declared.
  func expanded(_ curie: RawSpan, prefix: Int) -> [UInt8]? {
    if uris.isEmpty { return nil }
    guard let uri = uris[curie.extracting(0..<prefix).copied()] else { return nil }
    return uri + curie.dropping(prefix + 1).copied()
  }

  /// The connection has ended.
  mutating func forget() {
    uris = [:]
    give(taken)
  }
}
