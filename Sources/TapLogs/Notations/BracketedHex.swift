// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Bytes in hexadecimal between angle brackets: as Node prints buffers, `<Buffer 5b 33 … 37 more
/// bytes>` and `[Uint8Contents]: <5b 33>`, and Foundation data, `<5b33332c 31312c35>`.
struct BracketedHex {
  /// What lines with a message in such bytes have on them: the name, or a byte with which lists
  /// of JSON, MessagePack and CBOR begin.
  static let anchors: [StaticString] = [
    "<Buffer ", "<5b", "<5B", "<83", "<84", "<85", "<86", "<87", "<93", "<94", "<95", "<96", "<97",
    "<98",
  ]

  /// Bytes of what says how many were left out.
  static let mostWords = 64

  private(set) var octets = Scratch()
  /// Bytes that were left out; `Int.max` where it does not say how many.
  private(set) var missing = 0
  /// The offset behind the bracket.
  private(set) var end = 0

  var isCut: Bool { missing > 0 }

  /// Whether the bytes are a text with a list in it.
  var isText: Bool { OctetList.isText(octets.bytes, isCut: isCut) }

  /// Nil when none begins at `start`.
  init?(_ line: RawSpan, _ start: Int) {
    guard line.byte(at: start) == UInt8(ascii: "<") else { return nil }
    var at = start + 1
    if line.dropping(at).starts(with: "Buffer ") { at += 7 }
    while let octet = line.hexOctet(at: at) {
      octets.append(octet)
      at += 2
      if at < line.byteCount, line.byte(at: at) == .space { at += 1 }
    }
    if at < line.byteCount, line.dropping(at).starts(with: "...") {
      missing = .max
      var digits = DigitReader(line.dropping(at + 3))
      _ = digits.blank()
      if let (count, _) = digits.number(most: 9), count > 0 { missing = count }
      let words = line.extracting(at..<min(at + Self.mostWords, line.byteCount))
      guard let bracket = words.firstIndex(of: UInt8(ascii: ">")) else { return nil }
      at += bracket
    }
    guard !octets.isEmpty, at < line.byteCount, line.byte(at: at) == UInt8(ascii: ">") else {
      return nil
    }
    end = at + 1
  }
}
