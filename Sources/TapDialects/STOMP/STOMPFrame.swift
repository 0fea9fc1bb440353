// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// One frame as it was sent (STOMP 1.2, "STOMP Frames"): ranges of the bytes that it stands in.
struct STOMPFrame {
  struct Header: BitwiseCopyable {
    var kind: STOMPHeader
    var name: ByteRange
    var value: ByteRange
    /// The value in the message that is told, without its quotes.
    var shown = ByteRange()
  }

  /// What is wrong with how it is put together.
  struct Faults: OptionSet {
    let rawValue: UInt8
    /// No NUL ends it.
    static let nulMissing = Faults(rawValue: 1)
    /// Its NUL stands in the headers, or in the command.
    static let blankLineMissing = Faults(rawValue: 2)
    /// `content-length` is the number of characters of the body.
    static let charactersCounted = Faults(rawValue: 4)
    /// `content-length` is not the length of the body, or no number.
    static let lengthWrong = Faults(rawValue: 8)
    /// Lines end with CR LF.
    static let hasCarriageReturn = Faults(rawValue: 16)
    /// It has more headers than are read.
    static let hasMoreHeaders = Faults(rawValue: 32)
  }

  /// All of it, with its NUL.
  var range = ByteRange()
  /// The line, without its end.
  var line = ByteRange()
  /// Nil for a word that is no command.
  var command: STOMPCommand?
  /// Repeated ones, too, in their order.
  private(set) var headers = ContiguousArray<Header>()
  /// A bit for each kind of `headers`: most of those that are asked for are not there.
  private var kinds: UInt32 = 0
  /// Lines that should be headers and have no colon.
  var withoutColon = ContiguousArray<ByteRange>()
  var body = ByteRange()
  /// What `content-length` says.
  var announced: Int?
  var faults: Faults = []
  /// It was read from JSON: nothing of it is escaped.
  var isDecoded = false

  /// The first of this name, which is the one that counts (STOMP 1.2, "Repeated Header Entries").
  func first(_ kind: STOMPHeader) -> Header? {
    if !has(kind) { return nil }
    // By number: an iterator would count a reference.
    for number in headers.indices where headers[number].kind == kind { return headers[number] }
    return nil
  }

  func has(_ kind: STOMPHeader) -> Bool { kinds >> kind.rawValue & 1 != 0 }

  mutating func append(_ header: Header) {
    kinds |= 1 << header.kind.rawValue
    headers.append(header)
  }

  /// Where the value of a header stands in the message that is told.
  mutating func show(_ number: Int, at range: ByteRange) { headers[number].shown = range }

  /// Reads the lines ahead of the body.
  ///
  /// - Parameters:
  ///   - end: what is behind belongs to no line.
  ///   - most: headers that are read.
  /// - Returns: where the body begins; nil where no blank line ends the headers.
  mutating func readHead(_ bytes: RawSpan, from start: Int, to end: Int, most: Int) -> Int? {
    headers.removeAll(keepingCapacity: true)
    kinds = 0
    if !withoutColon.isEmpty { withoutColon.removeAll(keepingCapacity: true) }
    (announced, faults, body) = (nil, [], ByteRange())
    let last = lineEnd(bytes, from: start, to: end)
    line = trimmed(bytes, start, last)
    command = STOMPCommand(bytes[line])
    var at = last + 1
    while at < end {
      let stop = lineEnd(bytes, from: at, to: end)
      let text = trimmed(bytes, at, stop)
      if text.isEmpty && stop < end { return stop + 1 }
      if !text.isEmpty { header(bytes, text, most: most) }
      at = stop + 1
    }
    faults.insert(.blankLineMissing)
    return nil
  }

  private func lineEnd(_ bytes: RawSpan, from start: Int, to end: Int) -> Int {
    guard let found = bytes.firstIndex(of: 0x0A, from: start), found < end else { return end }
    return found
  }

  /// Without the CR that 1.2 allows ahead of LF.
  private mutating func trimmed(_ bytes: RawSpan, _ start: Int, _ end: Int) -> ByteRange {
    guard end > start, bytes.byte(at: end - 1) == 0x0D else { return ByteRange(start, end) }
    faults.insert(.hasCarriageReturn)
    return ByteRange(start, end - 1)
  }

  private mutating func header(_ bytes: RawSpan, _ line: ByteRange, most: Int) {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":"), from: line.start), colon < line.end
    else {
      if withoutColon.count < most { withoutColon.append(line) }
      return
    }
    if headers.count == most {
      faults.insert(.hasMoreHeaders)
      return
    }
    let name = ByteRange(line.start, colon)
    let value = ByteRange(colon + 1, line.end)
    let kind = STOMPHeader(bytes[name])
    if kind == .contentLength && announced == nil && !faults.contains(.lengthWrong) {
      announced = Self.number(bytes[value])
      if announced == nil { faults.insert(.lengthWrong) }
    }
    append(Header(kind: kind, name: name, value: value))
  }

  /// A natural number in decimal digits that fits; nil for all else.
  static func number(_ text: RawSpan) -> Int? {
    guard text.byteCount > 0, text.byteCount <= 15 else { return nil }
    var number = 0
    for at in 0..<text.byteCount {
      let digit = text.byte(at: at) &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
    }
    return number
  }
}
