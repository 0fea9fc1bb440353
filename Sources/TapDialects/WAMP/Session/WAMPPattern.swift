// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What a subscription or a registration by prefix or wildcard matches (wamp-proto, "Pattern-based
/// Subscriptions").
struct WAMPPattern {
  var isPrefix: Bool
  var text: [UInt8]

  /// Longer patterns are not kept, and not checked.
  static let mostOctets = 256

  func matches(_ uri: RawSpan) -> Bool {
    let pattern = text.span.bytes
    if isPrefix {
      return uri.byteCount >= pattern.byteCount
        && uri.extracting(0..<pattern.byteCount).equals(pattern)
    }
    // A wildcard pattern has the same number of components, and each is equal or empty in the
    // pattern.
    var (at, next) = (0, 0)
    while true {
      let end = uri.firstIndex(of: .period, from: at) ?? uri.byteCount
      let stop = pattern.firstIndex(of: .period, from: next) ?? pattern.byteCount
      let isSame = uri.extracting(at..<end).equals(pattern.extracting(next..<stop))
      if stop > next && !isSame { return false }
      let isLast = (end == uri.byteCount, stop == pattern.byteCount)
      if isLast.0 || isLast.1 { return isLast.0 && isLast.1 }
      (at, next) = (end + 1, stop + 1)
    }
  }
}
