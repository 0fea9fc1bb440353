// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import TapNames

/// Parses the right sides of tests, according to the type of the left side.
extension FilterReader {
  private struct Right {
    var bytes: [UInt8]
    var isQuoted: Bool
    var place: Range<Int>

    var text: String { String(decoding: bytes, as: Unicode.UTF8.self) }
  }

  mutating func literal(_ side: Side, _ relation: Test.Relation) throws(FilterError) -> Literal {
    skipSpaces()
    guard next != nil else { throw fail("here a value is missing", at..<at + 1) }
    let right: Right
    if isAtString {
      let string = try string()
      right = Right(bytes: string.bytes, isQuoted: true, place: string.place)
    } else {
      let bare = takeBare()
      if bare.text.isEmpty {
        let sign = Unicode.Scalar(bytes[at])
        throw fail("'\(sign)' begins no value; text with such signs stands in quotes", at..<at + 1)
      }
      right = Right(bytes: Array(bare.text.utf8), isQuoted: false, place: bare.place)
    }
    return Literal(value: try value(right, side, relation))
  }

  private mutating func value(
    _ right: Right, _ side: Side, _ relation: Test.Relation
  ) throws(FilterError) -> Literal.Value {
    switch relation {
    case .begins, .ends, .contains:
      if relation == .begins && side.field == .finding { try checkBeginning(right) }
      return .text(right.bytes)
    default: break
    }
    if right.isQuoted, let value = quoted(right, side) { return value }
    if right.isQuoted { throw mismatch(right, side) }
    switch side.type {
    case .integer: return try number(right, side)
    case .duration: return try duration(right, side)
    case .size:
      guard let size = Units.size(right.text[...]) else {
        throw fail("a size is bytes, or has a unit: 500, 64KiB, 2MB", right.place)
      }
      return .numbers(size, size)
    case .time:
      guard let time = TimeForm.read(right.text, zone: words.zone) else {
        throw fail("a time is 11:42, 2026-11-25T11:42:07Z, 2026-11-25 or +5s", right.place)
      }
      return time
    case .text, .id: return .text(right.bytes)
    case .uri: return try uri(right, side)
    case .word(let all): return try word(right, side, all)
    case .rank(let all):
      guard let rank = all.firstIndex(of: right.text) else {
        throw fail(unknownWord(right.text, side, all), right.place)
      }
      return .numbers(Int128(rank), Int128(rank))
    case .endpoint:
      guard let form = AddressForm(right.text) else {
        throw fail("an address is 10.0.0.7, 10.0.0.0/8, [::1]:80 or :8080", right.place)
      }
      return .addresses(form)
    case .flag:
      if right.text == "true" { return .yes }
      if right.text == "false" { return .no }
      throw fail(
        "'\(side.name)' is yes or no; write '\(side.name)' or 'not \(side.name)'", right.place)
    case .value: return payloadValue(right, side, relation)
    }
  }

  /// A quoted value; nil where that makes no sense.
  private func quoted(_ right: Right, _ side: Side) -> Literal.Value? {
    switch side.type {
    case .text, .uri, .id, .word, .value: .text(right.bytes)
    case .endpoint: AddressForm(right.text).map { .addresses($0) }
    case .time: TimeForm.read(right.text, zone: words.zone)
    case .rank(let all):
      all.firstIndex(of: right.text).map { .numbers(Int128($0), Int128($0)) }
    default: nil
    }
  }

  private func mismatch(_ right: Right, _ side: Side) -> FilterError {
    fail("'\(side.name)' is \(side.type.noun) and cannot be compared with text", right.place)
  }

  private func number(_ right: Right, _ side: Side) throws(FilterError) -> Literal.Value {
    guard let number = Int64(right.text) else { throw mismatch(right, side) }
    return .numbers(Int128(number), Int128(number))
  }

  private func duration(_ right: Right, _ side: Side) throws(FilterError) -> Literal.Value {
    if let span = Units.duration(right.text[...]) { return .numbers(span, span) }
    if Double(right.text) != nil {
      throw fail("a duration needs a unit: \(right.text)ms, or \(right.text)s", right.place)
    }
    if Units.size(right.text[...]) != nil {
      throw fail("'\(side.name)' is a duration, and that is a size", right.place)
    }
    if right.bytes.first.map({ $0.isDigit }) == true {
      throw fail("a duration is a number and ns, us, ms, s, m, h or d: 200ms", right.place)
    }
    throw mismatch(right, side)
  }

  /// A URI, or a pattern of URIs as in names files.
  private mutating func uri(_ right: Right, _ side: Side) throws(FilterError) -> Literal.Value {
    let text = right.text
    if side.field == .finding && !text.contains("*") {
      guard words.findings.contains(text) else {
        let nearest = Spelling.nearest(to: text, among: words.findings)
        throw fail(
          "no finding has the code '\(text)'; "
            + (nearest.map { "'\($0)' is meant?" } ?? "'wamptap explain' lists them"),
          right.place)
      }
    }
    if side.field == .error, !words.errors.contains(text),
      let nearest = Spelling.nearest(to: text, among: words.errors),
      Spelling.distance(Array(text.utf8), Array(nearest.utf8)) <= 2
    {
      warnings.append("no protocol defines '\(text)'; '\(nearest)' is meant?")
    }
    guard text.contains("*") || text.contains("..") else { return .text(right.bytes) }
    do {
      return .subjects(try SubjectPattern(text))
    } catch {
      throw fail(error.text, right.place)
    }
  }

  private func checkBeginning(_ right: Right) throws(FilterError) {
    if words.findings.isEmpty || words.findings.contains(where: { $0.hasPrefix(right.text) }) {
      return
    }
    throw fail("no code of a finding begins with '\(right.text)'", right.place)
  }

  private mutating func word(
    _ right: Right, _ side: Side, _ all: [String]
  ) throws(FilterError) -> Literal.Value {
    let text = right.text
    switch side.field {
    case .name:
      if words.messages.contains(where: { $0.name == text }) || words.messages.isEmpty { break }
      if let error = unknownMessage(text, right.place) { throw error }
      warnings.append("no protocol has a message '\(text)'; applications may have")
    case .protocol:
      if words.protocols.isEmpty { break }
      if !words.protocols.contains(text) {
        throw fail(unknownWord(text, side, words.protocols), right.place)
      }
    default:
      if !all.contains(text) { throw fail(unknownWord(text, side, all), right.place) }
    }
    return .text(right.bytes)
  }

  private func unknownWord(_ text: String, _ side: Side, _ all: [String]) -> String {
    let nearest = Spelling.nearest(to: text, among: all)
    return "'\(side.name)' is never '\(text)'; "
      + (nearest.map { "'\($0)' is meant?" } ?? "it is one of: \(all.joined(separator: ", "))")
  }

  private func payloadValue(
    _ right: Right, _ side: Side, _ relation: Test.Relation
  ) -> Literal.Value {
    switch right.text {
    case "true": return .yes
    case "false": return .no
    case "null": return .null
    default:
      if let decimal = Decimal(right.bytes.span.bytes) { return .decimals(decimal, decimal) }
      return .text(right.bytes)
    }
  }
}
