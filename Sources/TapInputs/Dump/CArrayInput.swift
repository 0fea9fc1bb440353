// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// Bytes as arrays of C, as `xxd -i` and Wireshark write them. JSON has no `0x`, so a list that
/// begins with it is one of bytes.
public struct CArrayInput: InputKind {
  private static let words: [StaticString] = [
    "unsigned", "char", "static", "const", "uint8_t", "byte", "BYTE", "u8", "u_char", "let", "var",
  ]

  private var reader: NotationReader<CArrayNotation>

  /// - Parameter input: the number of this input, which goes into every origin.
  public init(input: UInt16, limits: Limits) {
    self.init(Place(input: input), limits: limits)
  }

  init(_ place: Place, limits: Limits) { reader = NotationReader(place, limits) }

  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let count = min(head.byteCount, NotationReader<CArrayNotation>.sampled)
    let isCut = !isAll && count < NotationReader<CArrayNotation>.sampled
    var at = skip(head, from: 0, to: count)
    let start = at
    // A declaration, if any, on the way to the brace.
    while at < count, head.byte(at: at) != 0x7B, !(at == start && head.byte(at: at) == 0x5B) {
      let byte = head.byte(at: at)
      let isOther = byte != 0x5F && byte != 0x5B && byte != 0x5D && byte != 0x3D && byte != 0x3A
      if isOther && !isBlank(byte) && byte != 0x2F && byte != 0x2A && !isAlphanumeric(byte) {
        return .no
      }
      at += 1
      if byte == 0x2F { at = max(at, skip(head, from: at - 1, to: count)) }
      if at - start > 400 { return .no }
    }
    if at > start, !words.contains(where: { mayBe($0, head.extracting(start..<at), at < count) }) {
      return .no
    }
    guard at < count else { return isCut ? .undecided : .no }
    at = skip(head, from: at + 1, to: count)
    guard at + 1 < count else {
      return isCut && (at >= count || head.byte(at: at) == 0x30) ? .undecided : .no
    }
    return head.byte(at: at) == 0x30 && head.byte(at: at + 1) | 0x20 == 0x78 ? .yes : .no
  }

  /// Behind blanks and comments.
  private static func skip(_ head: RawSpan, from start: Int, to end: Int) -> Int {
    var at = start
    while at < end {
      if isBlank(head.byte(at: at)) {
        at += 1
      } else if head.byte(at: at) == 0x2F, at + 1 < end, head.byte(at: at + 1) == 0x2A {
        at += 2
        while at < end, head.byte(at: at) != 0x2F || head.byte(at: at - 1) != 0x2A { at += 1 }
        at = min(at + 1, end)
      } else if head.byte(at: at) == 0x2F, at + 1 < end, head.byte(at: at + 1) == 0x2F {
        while at < end, head.byte(at: at) != 0x0A { at += 1 }
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

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  public mutating func receive(_ chunk: RawSpan, _ floor: any Floor) {
    reader.receive(chunk, floor)
  }

  public mutating func finish(_ floor: any Floor) { reader.finish("C array", floor) }
}
