// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Where texts stand in a line that begin as dialects say: `42["chat"`, `451-/admin,7["x"`, `40{`,
/// `a["`. A class, as a value would be copied for each question.
final class PacketStarts: Sendable {
  /// Characters of a namespace.
  private static let furthest = 128

  let all: [TextStart]
  /// An object may stand behind a namespace and its comma: `40/chat,{`.
  let mayHaveNamespaces: Bool
  /// What may stand before the first bracket.
  private let lasts: ASCIISet
  /// The last bytes of those heads that stand right before the bracket.
  private let ends: [UInt8]

  init(_ all: [TextStart]) {
    self.all = all
    ends = all.filter { $0.types == nil }.map { $0.head.utf8Start[$0.head.utf8CodeUnitCount - 1] }
    let isNumbered = all.contains { $0.types != nil }
    mayHaveNamespaces = isNumbered
    lasts = ASCIISet((ends + (isNumbered ? Array(",-0123456789".utf8) : [])).span.bytes)
  }

  /// The first at or after `start`, and its first bracket; nil when there is none.
  func next(_ line: RawSpan, from start: Int) -> (start: Int, bracket: Int)? {
    var at = start
    while at < line.byteCount {
      let bracket = line.firstIndex(ofAny: 0x5B7B_5B7B_5B7B_5B7B, from: at)
      if bracket == line.byteCount { return nil }
      if let found = before(line, bracket, from: start) { return (found, bracket) }
      at = bracket + 1
    }
    return nil
  }

  /// The beginning of the one whose first bracket stands there; nil when none does.
  ///
  /// - Parameter start: of the line.
  @inline(__always)
  func before(_ line: RawSpan, _ bracket: Int, from start: Int) -> Int? {
    guard bracket > start else { return nil }
    guard lasts.contains(line.byte(at: bracket - 1)) else { return nil }
    return find(line, bracket, from: start)
  }

  @inline(never)
  private func find(_ line: RawSpan, _ bracket: Int, from start: Int) -> Int? {
    // Lists in strings, as of WAMP in SockJS, are looked for by themselves: `a["[33`.
    if line.dropping(bracket).starts(with: "[\"[") { return nil }
    let packet = Self.address(line, bracket, from: start)
    let last = line.byte(at: bracket - 1)
    // Most brackets stand behind the comma of a list.
    if packet == nil && !ends.contains(last) { return nil }
    for text in all where line.dropping(bracket).starts(with: text.opening) {
      let count = text.head.utf8CodeUnitCount
      let at = text.types == nil ? bracket - count : packet
      guard let at, at >= start, line.dropping(at).starts(with: text.head),
        Self.isBorder(line, at, from: start)
      else { continue }
      guard let types = text.types else { return at }
      if at + count < bracket, types.contains(line.byte(at: at + count) &- 0x30) { return at }
    }
    return nil
  }

  /// The beginning of a packet without data whose namespace ends with that comma: `41/chat,`.
  func before(_ line: RawSpan, comma: Int, from start: Int) -> Int? {
    guard mayHaveNamespaces, let slash = Self.slash(line, comma, from: start) else { return nil }
    let at = line.beforeDigits(slash, from: start)
    guard Self.isBorder(line, at, from: start) else { return nil }
    let packet = line.dropping(at)
    for text in all where text.opening.utf8CodeUnitCount == 0 && packet.starts(with: text.head) {
      let type = at + text.head.utf8CodeUnitCount
      if type + 1 == slash, text.types?.contains(line.byte(at: type) &- 0x30) == true { return at }
    }
    return nil
  }

  /// Where the digits begin that a packet has ahead of its data, with its namespace and the number
  /// of what follows it.
  private static func address(_ line: RawSpan, _ bracket: Int, from start: Int) -> Int? {
    var at = line.beforeDigits(bracket, from: start)
    if at > start, line.byte(at: at - 1) == .comma {
      guard let slash = slash(line, at - 1, from: start) else { return nil }
      at = line.beforeDigits(slash, from: start)
    }
    if at > start, line.byte(at: at - 1) == .hyphen { at = line.beforeDigits(at - 1, from: start) }
    return at
  }

  /// The slash of a namespace that ends before a comma.
  private static func slash(_ line: RawSpan, _ comma: Int, from start: Int) -> Int? {
    var at = comma
    while at > max(start, comma - furthest) {
      at -= 1
      let byte = line.byte(at: at)
      if byte == .slash, at > start,
        line.byte(at: at - 1).isDigit || line.byte(at: at - 1) == .hyphen
      {
        // `step 40/100, {…}` counts.
        return line.behindDigits(at + 1) == comma && at + 1 < comma ? nil : at
      }
      if !isOfNamespace(byte) { return nil }
    }
    return nil
  }

  /// Whether the name of a namespace may contain it.
  @inline(__always)
  static func isOfNamespace(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != .quote && byte != .apostrophe && byte != .comma
      && byte | 0x20 != .closeBrace
  }

  /// Whether no word or number goes on there.
  private static func isBorder(_ line: RawSpan, _ at: Int, from start: Int) -> Bool {
    guard at > start else { return true }
    let byte = line.byte(at: at - 1)
    if byte.isOfIdentifier { return RecordSeparator.count(line, before: at) > 0 }
    return ![0x2D, 0x2E, 0x2F, 0x29, 0x5D, 0x7D, 0x24, 0x40, 0x23].contains(byte)
  }
}
