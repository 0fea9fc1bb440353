// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The channel that Vim names between the word that says who sends and the message, in the log that
/// `ch_logfile()` writes: `SEND on 0(in): '…`, `RECV on 0(out): '…`. In parentheses stands which
/// file of a job it is, and whether that is a socket; it does not say who sends.
enum VimChannel {
  private static let parts: [StaticString] = ["(in)", "(out)", "(err)", "(sock)"]

  /// Where its name begins that ends at a place; nil where none does.
  static func start(_ prefix: RawSpan, _ end: Int) -> Int? {
    guard prefix.byte(at: end - 1) == UInt8(ascii: ")") else { return nil }
    for part in parts where end >= part.utf8CodeUnitCount {
      var at = end - part.utf8CodeUnitCount
      guard prefix.extracting(at..<end).equals(part) else { continue }
      let digits = at
      at = prefix.beforeDigits(at)
      guard at < digits, at >= 4, prefix.dropping(at - 4).starts(with: " on ") else { return nil }
      return at - 4
    }
    return nil
  }
}
