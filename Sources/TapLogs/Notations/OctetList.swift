// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Texts that are printed as the numbers of their bytes: by journalctl, where a message has
/// colours in it, and by Rust.
enum OctetList {
  /// A shorter one may be any list of small numbers.
  private static let least = 6

  /// The text with a list in it that such a list stands for, whether the program left out the rest
  /// of it, `... 23 more items`, and the offset behind it; nil for any other list.
  static func text(
    _ list: RawSpan, _ start: Int = 0
  ) -> (text: Scratch, isCut: Bool, end: Int)? {
    // So many digits with commas between them, or a few and words.
    if list.byteCount - start <= 2 * least { return nil }
    var text = Scratch()
    var isCut = false
    var at = start + 1
    while true {
      at = list.behindSpace(at)
      if at < list.byteCount, list.byte(at: at) == .period {
        let words = list.extracting(at..<min(at + BracketedHex.mostWords, list.byteCount))
        guard words.starts(with: "... "), let bracket = words.firstIndex(of: .closeBracket) else {
          return nil
        }
        (isCut, at) = (true, at + bracket)
        break
      }
      var value = 0
      let start = at
      while at < list.byteCount, list.byte(at: at).isDigit, at - start < 4 {
        value = value * 10 + Int(list.byte(at: at) - 0x30)
        at += 1
      }
      guard at > start, let octet = UInt8(exactly: value), isText(octet) else { return nil }
      text.append(octet)
      at = list.behindSpace(at)
      guard at < list.byteCount else { return nil }
      if list.byte(at: at) == .closeBracket { break }
      guard list.byte(at: at) == .comma else { return nil }
      at += 1
    }
    return isText(text.bytes, isCut: isCut) ? (text, isCut, at + 1) : nil
  }

  /// Whether bytes are a text with a list in it; the last character may be cut.
  static func isText(_ octets: RawSpan, isCut: Bool) -> Bool {
    if let invalid = UTF8.firstInvalid(in: octets) {
      guard isCut, octets.byteCount - invalid < 4 else { return false }
    }
    return octets.byteCount >= least
      && (0..<octets.byteCount).allSatisfy { isText(octets.byte(at: $0)) }
      && ListStart.next(octets, from: 0) != nil
  }

  private static func isText(_ octet: UInt8) -> Bool {
    octet >= 0x20 && octet != 0x7F || (0x09...0x0D).contains(octet) || octet == 0x1B
  }
}
