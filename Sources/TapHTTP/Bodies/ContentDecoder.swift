// SPDX-License-Identifier: Apache-2.0
import TapInflate

/// Decodes the content coding of a body (RFC 9110 §8.4): gzip, or deflate, which is the zlib
/// format.
final class ContentDecoder {
  private let inflater: GunzipReader

  /// Nil for other codings, and for several in a row.
  ///
  /// - Parameter codings: in lower case, in the order in which they were applied.
  init?(_ codings: [String]) {
    guard codings.count == 1, ["gzip", "x-gzip", "deflate"].contains(codings[0]),
      let inflater = GunzipReader(isZlib: codings[0] == "deflate")
    else { return nil }
    self.inflater = inflater
  }

  /// Inflates the next bytes; false when they are damaged.
  ///
  /// - Parameter content: called with each decoded piece.
  func receive(_ coded: RawSpan, _ content: (RawSpan) -> Void) -> Bool {
    inflater.receive(coded, content) == .fine
  }
}
