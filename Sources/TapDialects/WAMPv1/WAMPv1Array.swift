// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The parsed list of one WAMP v1 message: its type, and the faults of its form. It keeps no
/// session state, so that recognition, pasted text and traffic get the same verdict.
struct WAMPv1Array {
  typealias Problem = WAMPArray.Problem

  private(set) var scanner: JSONScanner
  /// The type code, even if no message type has it.
  private(set) var code: UInt64?
  /// The first fault.
  private(set) var problem: Problem?
  /// Nothing but white space follows the list.
  private(set) var isWhole = false
  /// The offset of the list's closing bracket.
  private(set) var bracket = 0

  init(maximumDepth: Int) { scanner = JSONScanner(maximumDepth: maximumDepth) }

  var type: WAMPv1Type? {
    code.flatMap { $0 < UInt64(WAMPv1Type.all.count) ? WAMPv1Type.all[Int($0)] : nil }
  }

  var count: Int { scanner.elements.count }

  subscript(index: Int) -> JSONElement { scanner.elements[index] }

  /// Whether it was read as a list, with or without a problem.
  var isList: Bool { scanner.problem == nil && scanner.isArray }

  mutating func read(_ bytes: RawSpan) {
    (code, problem, isWhole) = (nil, nil, false)
    guard let end = scanner.scan(bytes), scanner.isArray, count > 0 else {
      // If it is not a list, v2 describes the problem just as well.
      var other = WAMPArray(maximumDepth: Limits.standard.nesting)
      other.read(bytes)
      problem = other.problem
      return
    }
    isWhole = end == bytes.byteCount
    bracket = end - 1
    while bracket > 0, bytes.byte(at: bracket) != .closeBracket { bracket -= 1 }
    problem = judge(bytes)
    if problem == nil && !isWhole {
      let rest = bytes.byteCount - end
      problem = Problem(
        fault: .trailing,
        text: "\(rest == 1 ? "1 byte follows" : "\(rest) bytes follow") the end of the list")
    }
  }

  private mutating func judge(_ bytes: RawSpan) -> Problem? {
    guard self[0].kind == .natural, let code = JSON.natural(bytes, self[0].range) else {
      return Problem(
        fault: .badCode,
        text: "element 0 must be the message type, an integer from 0 to 8; it is "
          + self[0].kind.description)
    }
    self.code = code
    guard let type else {
      return Problem(
        fault: .badCode, text: "\(code) is not a message type of WAMP v1 (element 0)")
    }
    guard type.arity.contains(count) else {
      let (least, most) = (type.arity.lowerBound, type.arity.upperBound)
      let allowed =
        most == .max ? "at least \(least)" : least == most ? "\(least)" : "\(least) to \(most)"
      return Problem(
        fault: .arity,
        text: "\(type.name) of WAMP v1 has \(allowed) elements, this has \(count)")
    }
    for index in 1..<min(count, JSONElements.kept) where !fits(index, type) {
      return Problem(
        fault: .element,
        text: "element \(index) of \(type.name) of WAMP v1 must be"
          + " \(WAMPv1Type.description(type.letter(index))); it is \(self[index].kind.description)")
    }
    return nil
  }

  /// Whether an element has the kind that its position requires.
  private func fits(_ index: Int, _ type: WAMPv1Type) -> Bool {
    let kind = self[index].kind
    switch type.letter(index) {
    case UInt8(ascii: "n"): return kind == .natural
    case UInt8(ascii: "v"): return true
    case UInt8(ascii: "l"): return kind == .array
    case UInt8(ascii: "x"):
      // Followed by a list of eligible sessions, it is the list of excluded sessions.
      return kind == .array || count == index + 1 && (kind == .yes || kind == .no)
    default: return kind == .string
    }
  }

  /// The content of a string element; empty when it is not a string.
  func string(_ index: Int) -> ByteRange {
    guard index < min(count, JSONElements.kept), self[index].kind == .string else {
      return ByteRange()
    }
    return self[index].content
  }

  /// An element as it was sent; empty when there is none.
  func range(_ index: Int) -> ByteRange {
    index < min(count, JSONElements.kept) ? self[index].range : ByteRange()
  }

  /// The range from an element to the end of the list; empty when there is none.
  func ranges(from index: Int, _ bytes: RawSpan) -> ByteRange {
    guard index < count else { return ByteRange() }
    var end = bracket
    while end > 0, bytes.byte(at: end - 1) <= 0x20 { end -= 1 }
    return ByteRange(self[index].range.start, end)
  }

  /// How well the list fits WAMP v1.
  func grade(_ bytes: RawSpan) -> Recognition.Grade {
    guard problem == nil, let type else { return .none }
    switch type.code {
    case 0: return .likely
    // A result is not distinctive, but results of OCPP-J are objects.
    case 3: return self[2].kind == .object ? .possible : .likely
    case 2, 4: return WAMPv1Name(bytes[string(2)]).isQualified ? .likely : .none
    case 1: return WAMPv1Name(bytes[string(2)]).isQualified ? .likely : .none
    // Ratchet and other servers use topics that are plain words.
    default: return WAMPv1Name(bytes[string(1)]).isTypical ? .likely : .possible
    }
  }
}
