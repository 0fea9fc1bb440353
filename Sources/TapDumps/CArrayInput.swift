// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// Bytes as arrays of C, as `xxd -i` and Wireshark write them. JSON has no `0x`, so a list that
/// begins with it is one of bytes.
public struct CArrayInput: InputKind {
  public static let name: StaticString = "c-array"

  private static let words: [StaticString] = [
    "unsigned", "char", "static", "const", "uint8_t", "byte", "BYTE", "u8", "u_char", "let", "var",
  ]

  /// What a declaration has beside words: `[]=:*`.
  private static let marks: [UInt8] = [0x5B, 0x5D, 0x3D, 0x3A, 0x2A]

  private var reader: NotationReader<CArrayNotation>

  public init(_ place: Place, limits: Limits) { reader = NotationReader(place, limits) }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let most = NotationSample<CArrayNotation>.most
    let count = min(head.byteCount, most)
    let isEnough = isAll || count == most
    let start = skip(head, from: 0, to: count)
    if start == count { return isEnough ? .no : .undecided }
    let first = head.byte(at: start)
    // A slash may begin a comment: the next byte says so.
    if first == .slash { return start + 1 < count || isEnough ? .no : .undecided }
    var at = start
    if first != .openBracket && first != .openBrace {
      guard first.isWord, first > 0x39 else { return .no }
      // A declaration on the way to the brace.
      while at < count, head.byte(at: at) != .openBrace {
        let byte = head.byte(at: at)
        if byte == .slash {
          let end = skip(head, from: at, to: count)
          if end == at { return at + 1 < count || isEnough ? .no : .undecided }
          at = end
          continue
        }
        if !byte.isJSONSpace && !byte.isWord && !marks.contains(byte) { return .no }
        at += 1
        if at - start > 400 { return .no }
      }
      let text = head.extracting(start..<at)
      if !words.contains(where: { mayBe($0, text, at < count) }) { return .no }
    }
    at = skip(head, from: at + 1, to: count)
    guard at + 1 < count else {
      let mayFollow =
        at >= count || head.byte(at: at) == UInt8(ascii: "0") || head.byte(at: at) == .slash
      return !isEnough && mayFollow ? .undecided : .no
    }
    return head.byte(at: at) == UInt8(ascii: "0")
      && head.byte(at: at + 1) | 0x20 == UInt8(ascii: "x") ? .yes : .no
  }

  /// Behind blanks and comments.
  private static func skip(_ head: RawSpan, from start: Int, to end: Int) -> Int {
    var at = start
    while at < end {
      if head.byte(at: at).isJSONSpace {
        at += 1
      } else if head.byte(at: at) == .slash, at + 1 < end,
        head.byte(at: at + 1) == UInt8(ascii: "*")
      {
        // The star of the beginning is not the one of the end.
        at = min(at + 3, end)
        while at < end, head.byte(at: at) != .slash || head.byte(at: at - 1) != UInt8(ascii: "*") {
          at += 1
        }
        at = min(at + 1, end)
      } else if head.byte(at: at) == .slash, at + 1 < end, head.byte(at: at + 1) == .slash {
        while at < end, head.byte(at: at) != .lineFeed { at += 1 }
      } else {
        return at
      }
    }
    return at
  }

  private static func mayBe(_ word: StaticString, _ text: RawSpan, _ isWhole: Bool) -> Bool {
    if text.starts(with: word) { return true }
    if isWhole || text.byteCount >= word.utf8CodeUnitCount { return false }
    for at in 0..<text.byteCount where text.byte(at: at) != word.utf8Start[at] { return false }
    return true
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    reader.receive(chunk, sink)
  }

  public mutating func finish(_ sink: any EvidenceSink) { reader.finish("C array", sink) }
}
