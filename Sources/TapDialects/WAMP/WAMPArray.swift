// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// The parsed list of one WAMP message: its type, and the faults of its form. It keeps no session
/// state, so that recognition, pasted text and traffic get the same verdict.
struct WAMPArray {
  enum Fault: Equatable {
    case notJSON, trailing, notAList, empty, badCode, extensionCode, arity, element
    case idRange, idFloat
  }

  /// What is wrong, and at which element of the array (0 is the code).
  struct Problem {
    var fault: Fault
    var text: String
  }

  /// Largest id there is: 2^53.
  static let maximumID: UInt64 = 9_007_199_254_740_992

  private(set) var scanner: JSONScanner
  /// The type code, even if no message type has it.
  private(set) var code: UInt64?
  /// The type's name in the specification; empty when no type has this code.
  private(set) var name: StaticString = ""
  /// Set by `read`: the first fault. What is only unusual goes to `remarks`.
  private(set) var problem: Problem?
  private(set) var remarks: [Problem] = []
  /// Nothing but white space follows the list.
  private(set) var isWhole = false
  /// The details of this HELLO or WELCOME. Other messages leave them as they were.
  private(set) var details = WAMPDetails()
  private let forms = WAMPForm.all
  /// The caller does not read the texts of problems: they stay empty.
  var isTerse = false

  init(maximumDepth: Int) { scanner = JSONScanner(maximumDepth: maximumDepth) }

  var type: WAMPType? { code.flatMap { WAMPType(code: $0) } }

  @inline(__always) var count: Int { scanner.elements.count }

  /// The roles that HELLO or WELCOME announces; nil when it has no dictionary of them.
  mutating func roles(_ bytes: RawSpan) -> (range: ByteRange, said: WAMPRoles)? {
    details.roles(bytes)
  }

  // Inlined, as otherwise each call would copy the whole array.
  @inline(__always) subscript(index: Int) -> JSONElement { scanner.elements[index] }

  private func complaint(_ fault: Fault, _ text: @autoclosure () -> String) -> Problem {
    Problem(fault: fault, text: isTerse ? "" : text())
  }

  /// Parses a message. Afterwards elements up to `count` may be read; when there is a problem, the
  /// caller must check the kind of each.
  mutating func read(_ bytes: RawSpan) {
    (code, name, isWhole) = (nil, "", false)
    if problem != nil { problem = nil }
    if !remarks.isEmpty { remarks.removeAll() }
    guard let end = scanner.scan(bytes) else {
      let what: String =
        switch scanner.problem {
        case .incomplete: "it ends at byte \(scanner.offset), inside a value"
        case .tooDeep: "it is nested too deeply at byte \(scanner.offset)"
        default: "byte \(scanner.offset) is not expected there"
        }
      problem = complaint(.notJSON, "not JSON: \(what)")
      return
    }
    judge(bytes, end)
  }

  /// The same for a text that a transcoder has just written: it is known to be JSON and is not
  /// scanned.
  mutating func read(_ bytes: RawSpan, madeBy transcoder: borrowing Transcoder) {
    (code, name, isWhole) = (nil, "", false)
    if problem != nil { problem = nil }
    if !remarks.isEmpty { remarks.removeAll() }
    scanner.adopt(transcoder, end: bytes.byteCount)
    judge(bytes, bytes.byteCount)
  }

  @inline(__always)
  private mutating func judge(_ bytes: RawSpan, _ end: Int) {
    guard scanner.isArray else {
      let kind = scanner.elements.isEmpty ? "nothing" : self[0].kind.description
      problem = complaint(.notAList, "a WAMP message is a list, this is \(kind)")
      return
    }
    guard count > 0 else {
      problem = complaint(.empty, "the list is empty; element 0 must be the message type")
      return
    }
    isWhole = end == bytes.byteCount
    judge(bytes)
    if problem == nil && !isWhole {
      let rest = bytes.byteCount - end
      problem = complaint(
        .trailing, "\(rest == 1 ? "1 byte follows" : "\(rest) bytes follow") the end of the list")
    }
  }

  @inline(__always)
  private mutating func judge(_ bytes: RawSpan) {
    // Fast path for codes of two digits, which most messages have.
    let first = self[0]
    if first.kind == .natural, first.range.count == 2 {
      let tens = bytes.byte(at: first.range.start) &- 0x30
      let small = Int(tens &* 10 &+ (bytes.byte(at: first.range.start &+ 1) &- 0x30))
      if small < forms.count, forms[small].fits(scanner.elements, bytes) {
        (code, name) = (UInt64(small), forms[small].name)
        return
      }
    }
    judgeSlowly(bytes)
  }

  @inline(never)
  private mutating func judgeSlowly(_ bytes: RawSpan) {
    guard let code = number(0, bytes) else {
      problem = complaint(
        .badCode,
        "element 0 must be the message type, a positive integer; it is "
          + self[0].kind.description.description)
      return
    }
    self.code = code
    guard let type = WAMPType(code: code) else {
      let isExtension = (256..<1024).contains(code)
      let found = complaint(
        isExtension ? .extensionCode : .badCode,
        isExtension
          ? "message type \(code) is an extension that is not known here"
          : "\(code) is not a WAMP message type (element 0)")
      if isExtension { remarks.append(found) } else { problem = found }
      return
    }
    name = type.name
    if code <= WAMPCode.welcome { details.read(dictionary(2), bytes) }
    guard type.arity.contains(count) else {
      let allowed =
        type.arity.count == 1
        ? "\(type.arity.lowerBound)" : "\(type.arity.lowerBound) to \(type.arity.upperBound)"
      problem = complaint(.arity, "\(type.name) has \(allowed) elements, this has \(count)")
      return
    }
    for index in 1..<count where !fits(index, type, bytes) {
      if problem == nil { explain(index, type, bytes) }
    }
  }

  /// Whether an element has the kind and range that its position requires.
  private func fits(_ index: Int, _ type: WAMPType, _ bytes: RawSpan) -> Bool {
    let element = self[index]
    switch type.letter(index) {
    case UInt8(ascii: "i"):
      guard element.kind == .natural, element.range.count <= 16 else { return false }
      // At most 16 digits: only zero and values above 2^53 need a closer look.
      if element.range.count < 16 && bytes.byte(at: element.range.start) != UInt8(ascii: "0") {
        return true
      }
      guard let id = JSON.natural(bytes, element.range) else { return false }
      return id > 0 && id <= Self.maximumID
    case UInt8(ascii: "z"):
      guard element.kind == .natural else { return false }
      return JSON.natural(bytes, element.range).map { $0 <= Self.maximumID } ?? false
    case UInt8(ascii: "n"): return element.kind == .natural
    case UInt8(ascii: "d"), UInt8(ascii: "k"): return element.kind == .object
    case UInt8(ascii: "u"), UInt8(ascii: "s"): return element.kind == .string
    case UInt8(ascii: "r"): return element.kind == .string || element.kind == .null
    // With payload passthru mode, a string takes the place of the arguments.
    default: return element.kind == .array || element.kind == .string
    }
  }

  private mutating func explain(_ index: Int, _ type: WAMPType, _ bytes: RawSpan) {
    let element = self[index]
    let letter = type.letter(index)
    let isID = letter == UInt8(ascii: "i") || letter == UInt8(ascii: "z")
    if isID && element.kind == .number, JSON.integralFloat(bytes, element.range) != nil {
      remarks.append(
        complaint(.idFloat, "element \(index) of \(type.name), an id, is sent as a float"))
      return
    }
    if isID && (element.kind == .natural || element.kind == .number) {
      problem = complaint(
        .idRange, "element \(index) of \(type.name), an id, must be an integer from 1 to 2^53")
      return
    }
    problem = complaint(
      .element,
      "element \(index) of \(type.name) must be \(WAMPType.description(letter));"
        + " it is \(element.kind.description)"
    )
  }

  /// The integer at an element, also when it is sent as a float; nil when there is none.
  @inline(__always)
  func number(_ index: Int, _ bytes: RawSpan) -> UInt64? {
    index < count ? Self.number(self[index], bytes) : nil
  }

  @inline(__always)
  static func number(_ element: JSONElement, _ bytes: RawSpan) -> UInt64? {
    if element.kind == .natural { return JSON.scannedNatural(bytes, element.range) }
    if element.kind == .number { return JSON.integralFloat(bytes, element.range) }
    return nil
  }

  /// The content of a string element; empty when the element is not a string.
  @inline(__always)
  func string(_ index: Int) -> ByteRange {
    guard index < count, self[index].kind == .string else { return ByteRange() }
    return self[index].content
  }

  /// A dictionary element that is not empty; nil when it is empty or something else.
  @inline(__always)
  func dictionary(_ index: Int) -> ByteRange? {
    guard index < count, self[index].kind == .object, !self[index].isEmptyContent else {
      return nil
    }
    return self[index].range
  }

  @inline(__always) func range(_ index: Int) -> ByteRange {
    index < count ? self[index].range : ByteRange()
  }
}
