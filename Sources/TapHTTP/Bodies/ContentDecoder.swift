// SPDX-License-Identifier: Apache-2.0
import TapInflate

/// Takes off the content coding of a body (RFC 9110 §8.4): gzip, or deflate, which is zlib's form.
final class ContentDecoder {
  private let inflater: GunzipReader

  /// Nil for codings that are not read here, and for several on top of each other.
  ///
  /// - Parameter codings: in lower case, in the order in which they were applied.
  init?(_ codings: [String]) {
    guard codings.count == 1, ["gzip", "x-gzip", "deflate"].contains(codings[0]),
      let inflater = GunzipReader(isZlib: codings[0] == "deflate")
    else { return nil }
    self.inflater = inflater
  }

  /// Inflates what has come; answers false when it is damaged.
  ///
  /// - Parameter content: is lent each piece.
  func receive(_ coded: RawSpan, _ content: (RawSpan) -> Void) -> Bool {
    inflater.receive(coded, content) == .fine
  }
}
