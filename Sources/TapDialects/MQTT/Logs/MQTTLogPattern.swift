// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The pattern of a line after time and source: text, and fields in braces. `Sending PUBACK to
/// {client} (m{id}, rc{code})`
final class MQTTLogPattern: Sendable {
  /// Text, or a field.
  private enum Piece: Sendable {
    case words([UInt8])
    case field(MQTTLogField)
  }

  /// The value of a field in a line.
  struct Value {
    var field: MQTTLogField
    var range: ByteRange
  }

  /// A match of the pattern.
  struct Match {
    /// The offset of the match.
    var start: Int
    var values: [Value]
  }

  /// The limit of matching steps, against lines crafted to need very many.
  private static let mostSteps = 4096

  /// The state of a match.
  private struct Reading {
    var values: [Value] = []
    var steps = 0
    /// The length of the first field, if its value is known.
    var first: Int?
  }

  private let pieces: [Piece]
  /// The longest text of the pattern, which is searched first.
  private let key: [UInt8]

  init(_ text: String) {
    var pieces: [Piece] = []
    var rest = ArraySlice(text.utf8)
    while let open = rest.firstIndex(of: UInt8(ascii: "{")),
      let close = rest[open...].firstIndex(of: UInt8(ascii: "}")),
      let field = MQTTLogField(
        rawValue: String(decoding: rest[(open + 1)..<close], as: Unicode.UTF8.self))
    {
      if open > rest.startIndex { pieces.append(.words(Array(rest[..<open]))) }
      pieces.append(.field(field))
      rest = rest[(close + 1)...]
    }
    if !rest.isEmpty { pieces.append(.words(Array(rest))) }
    self.pieces = pieces
    var key: [UInt8] = []
    for case .words(let words) in pieces where words.count > key.count { key = words }
    self.key = key
  }

  /// - Parameter client: the required value of a leading client field; nil for any.
  /// - Returns: nil when the line does not match.
  func match(_ line: RawSpan, client: [UInt8]?) -> Match? {
    guard Self.find(key, in: line, from: 0) != nil else { return nil }
    var reading = Reading()
    if case .field(.client)? = pieces.first { reading.first = client?.count }
    var at = 0
    while at < min(line.byteCount, NarratedMargin.longest) {
      if Self.isBorder(line, at), begins(line, at, client),
        matches(0, line, at, &reading)
      {
        return Match(start: at, values: reading.values)
      }
      at += 1
    }
    return nil
  }

  /// Whether a word may begin there.
  private static func isBorder(_ line: RawSpan, _ at: Int) -> Bool {
    if at == 0 { return true }
    switch line.byte(at: at - 1) {
    case .space, .tab, UInt8(ascii: ":"), UInt8(ascii: "|"), UInt8(ascii: "]"): return true
    default: return false
    }
  }

  private func begins(_ line: RawSpan, _ at: Int, _ client: [UInt8]?) -> Bool {
    switch pieces.first {
    case .words(let words): return line.dropping(at).starts(with: words)
    case .field(.client):
      guard let client else { return true }
      return !client.isEmpty && line.dropping(at).starts(with: client)
    default: return true
    }
  }

  private func matches(
    _ place: Int, _ line: RawSpan, _ start: Int, _ reading: inout Reading
  ) -> Bool {
    reading.steps += 1
    if reading.steps > Self.mostSteps { return false }
    if place == pieces.count { return start == line.byteCount }
    switch pieces[place] {
    case .words(let words):
      return line.dropping(start).starts(with: words)
        && matches(place + 1, line, start + words.count, &reading)
    case .field(let field):
      if place == 0, let count = reading.first {
        return take(field, start..<start + count, place, line, &reading)
      }
      if field.kind != .text {
        var end = start
        while end < line.byteCount, Self.isPart(line.byte(at: end), field.kind) { end += 1 }
        return end > start && take(field, start..<end, place, line, &reading)
      }
      guard place + 1 < pieces.count, case .words(let next) = pieces[place + 1] else {
        return take(field, start..<line.byteCount, place, line, &reading)
      }
      var end = Self.find(next, in: line, from: start)
      while let found = end {
        if take(field, start..<found, place, line, &reading) { return true }
        end = Self.find(next, in: line, from: found + 1)
      }
      return false
    }
  }

  private func take(
    _ field: MQTTLogField, _ range: Range<Int>, _ place: Int, _ line: RawSpan,
    _ reading: inout Reading
  ) -> Bool {
    let range = ByteRange(range.lowerBound, range.upperBound)
    reading.values.append(Value(field: field, range: range))
    if matches(place + 1, line, range.end, &reading) { return true }
    reading.values.removeLast()
    return false
  }

  private static func isPart(_ byte: UInt8, _ kind: MQTTLogField.Kind) -> Bool {
    kind == .word ? byte > 0x20 : byte.isDigit || byte.isAlpha
  }

  private static func find(_ words: [UInt8], in line: RawSpan, from start: Int) -> Int? {
    guard let first = words.first else { return nil }
    var at = start
    while let found = line.firstIndex(of: first, from: at), found + words.count <= line.byteCount {
      if line.dropping(found).starts(with: words) { return found }
      at = found + 1
    }
    return nil
  }
}

extension RawSpan {
  /// Whether these bytes begin with those of a list.
  fileprivate func starts(with words: [UInt8]) -> Bool {
    guard byteCount >= words.count else { return false }
    for index in words.indices where byte(at: index) != words[index] { return false }
    return true
  }
}
