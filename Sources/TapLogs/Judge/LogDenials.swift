// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Lines that say that their message was not sent.
struct LogDenials {
  /// Kinds of lines that are remembered.
  private static let most = 1024

  /// By the shape of what is before the message.
  private var known = IDTable<Bool>()

  /// Whether the words before a message deny it.
  mutating func deny(_ prefix: RawSpan, _ shape: UInt64) -> Bool {
    if let denies = known[WideKey(0, shape)] { return denies }
    if known.count >= Self.most { known = IDTable() }
    let denies = LogDirectionWords.denies(prefix)
    known[WideKey(0, shape)] = denies
    return denies
  }
}
