// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapNames
import TapTraffic

/// The right side of a test, as it is written. What it means depends on the left side.
struct RightSide {
  typealias Left = FilterReader.Side

  /// Why it makes no sense there.
  struct Fault: Error {
    let text: String

    init(_ text: String) { self.text = text }
  }

  let bytes: [UInt8]
  let isQuoted: Bool
  let words: Vocabulary
  /// Warnings about a valid value, one sentence each.
  private(set) var warnings: [String] = []

  init(_ bytes: [UInt8], isQuoted: Bool, _ words: Vocabulary) {
    (self.bytes, self.isQuoted, self.words) = (bytes, isQuoted, words)
  }

  private var text: String { String(decoding: bytes, as: Unicode.UTF8.self) }

  mutating func value(for left: Left, _ relation: Test.Relation) throws(Fault) -> Literal.Value {
    switch relation {
    case .begins, .ends, .contains:
      if relation == .begins && left.field == .finding { try checkBeginning() }
      return .text(bytes)
    default: break
    }
    if isQuoted {
      guard let value = quoted(left) else { throw mismatch(left) }
      return value
    }
    switch left.type {
    case .integer: return try number(left)
    case .duration: return try duration(left)
    case .size:
      guard let size = Units.size(text[...]) else {
        throw Fault("a size is bytes, or has a unit: 500, 64KiB, 2MB")
      }
      return .numbers(size, size)
    case .time:
      guard let time = TimeForm.read(text, zone: words.zone) else {
        throw Fault("a time is 11:42, 2026-11-25T11:42:07Z, 2026-11-25 or +5s")
      }
      return time
    case .text, .id: return .text(bytes)
    case .uri: return try uri(left)
    case .word(let all): return try word(left, all)
    case .rank(let all):
      guard let rank = all.firstIndex(of: text) else { throw unknownWord(left, all) }
      return .numbers(Int128(rank), Int128(rank))
    case .endpoint:
      guard let form = AddressForm(text) else {
        throw Fault("an address is 10.0.0.7, 10.0.0.0/8, [::1]:80 or :8080")
      }
      return .addresses(form)
    case .flag:
      if text == "true" { return .yes }
      if text == "false" { return .no }
      throw Fault("'\(left.name)' is yes or no; write '\(left.name)' or 'not \(left.name)'")
    case .value: return payloadValue
    }
  }

  /// A quoted value; nil where that makes no sense.
  private func quoted(_ left: Left) -> Literal.Value? {
    switch left.type {
    case .text, .uri, .id, .word, .value: .text(bytes)
    case .endpoint: AddressForm(text).map { .addresses($0) }
    case .time: TimeForm.read(text, zone: words.zone)
    case .rank(let all): all.firstIndex(of: text).map { .numbers(Int128($0), Int128($0)) }
    default: nil
    }
  }

  private func mismatch(_ left: Left) -> Fault {
    Fault("'\(left.name)' is \(left.type.noun) and cannot be compared with text")
  }

  private func number(_ left: Left) throws(Fault) -> Literal.Value {
    guard let number = Int64(text) else { throw mismatch(left) }
    return .numbers(Int128(number), Int128(number))
  }

  private func duration(_ left: Left) throws(Fault) -> Literal.Value {
    if let span = Units.duration(text[...]) { return .numbers(span, span) }
    if Double(text) != nil { throw Fault("a duration needs a unit: \(text)ms, or \(text)s") }
    if Units.size(text[...]) != nil {
      throw Fault("'\(left.name)' is a duration, and that is a size")
    }
    if bytes.first.map({ $0.isDigit }) == true {
      throw Fault("a duration is a number and ns, us, ms, s, m, h or d: 200ms")
    }
    throw mismatch(left)
  }

  /// A URI, or a pattern of URIs as in names files.
  private mutating func uri(_ left: Left) throws(Fault) -> Literal.Value {
    let text = text
    if left.field == .finding && !text.contains("*") && !words.findings.contains(text) {
      let nearest = Spelling.nearest(to: text, among: words.findings)
      throw Fault(
        "no finding has the code '\(text)'; "
          + (nearest.map { "did you mean '\($0)'?" } ?? "'wamptap explain' lists them"))
    }
    if left.field == .error, !words.errors.contains(text),
      let nearest = Spelling.nearest(to: text, among: words.errors),
      Spelling.distance(Array(text.utf8), Array(nearest.utf8)) <= 2
    {
      warnings.append("no protocol defines '\(text)'; did you mean '\(nearest)'?")
    }
    guard text.contains("*") || text.contains("..") else { return .text(bytes) }
    do {
      return .subjects(try SubjectPattern(text))
    } catch {
      throw Fault(error.text)
    }
  }

  private func checkBeginning() throws(Fault) {
    if words.findings.isEmpty || words.findings.contains(where: { $0.hasPrefix(text) }) { return }
    throw Fault("no code of a finding begins with '\(text)'")
  }

  private mutating func word(_ left: Left, _ all: [String]) throws(Fault) -> Literal.Value {
    let text = text
    switch left.field {
    case .name:
      if words.messages.contains(where: { $0.name == text }) || words.messages.isEmpty { break }
      if let hint = words.hint(forMessage: text) {
        throw Fault("\(hint); an application's own name is quoted: \"\(text)\"")
      }
      warnings.append("no protocol has a message '\(text)'; applications may have")
    case .protocol:
      if words.protocols.isEmpty || words.protocols.contains(text) { break }
      throw unknownWord(left, words.protocols)
    default:
      if !all.contains(text) { throw unknownWord(left, all) }
    }
    return .text(bytes)
  }

  private func unknownWord(_ left: Left, _ all: [String]) -> Fault {
    let nearest = Spelling.nearest(to: text, among: all)
    return Fault(
      "'\(left.name)' is never '\(text)'; "
        + (nearest.map { "did you mean '\($0)'?" }
          ?? "it is one of: \(all.joined(separator: ", "))"))
  }

  private var payloadValue: Literal.Value {
    switch text {
    case "true": return .yes
    case "false": return .no
    case "null": return .null
    default:
      if let decimal = Decimal(bytes.span.bytes) { return .decimals(decimal, decimal) }
      return .text(bytes)
    }
  }
}
