// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// Parses the authentication methods that a client offers. It caches the latest list, as most
/// clients offer the same.
struct WAMPOffers {
  private var text: [UInt8] = []
  private var latest: [[UInt8]] = []

  /// Longer lists are not cached.
  private static let mostOctets = 1024

  /// - Parameter list: a JSON array.
  mutating func methods(_ list: RawSpan) -> [[UInt8]] {
    if !text.isEmpty && text.span.bytes.equals(list) { return latest }
    var offered: [[UInt8]] = []
    var at = 1
    while offered.count < 32, let member = JSON.next(list, &at, inObject: false) {
      if member.value.kind == .string, member.value.content.count <= 64 {
        offered.append(WAMPProof.plain(JSON.unescaped(list[member.value.content])))
      }
    }
    if list.byteCount <= Self.mostOctets { (text, latest) = (list.copied(), offered) }
    return offered
  }
}
