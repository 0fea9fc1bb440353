// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// One frame as it was sent (STOMP 1.2, "STOMP Frames"): ranges of the bytes that contain it.
struct STOMPFrame {
  struct Header: BitwiseCopyable {
    var kind: STOMPHeader
    var name: ByteRange
    var value: ByteRange
    /// The value's range in the reported message, without its quotes.
    var shown = ByteRange()
    /// The value as sent contains such a byte.
    var hasColon = false
    var hasBackslash = false
    /// The value begins or ends with a blank.
    var isPadded = false
  }

  /// A header line without a colon: the rest of a value that has a line end in it, or the body.
  struct LooseLine: BitwiseCopyable {
    var range: ByteRange
    /// How many headers stand before it.
    var place: Int
  }

  /// Faults of the frame's structure.
  struct Faults: OptionSet {
    let rawValue: UInt8
    /// No NUL ends it.
    static let nulMissing = Faults(rawValue: 1)
    /// Its NUL is within the headers or the command.
    static let blankLineMissing = Faults(rawValue: 2)
    /// `content-length` is the number of characters of the body.
    static let charactersCounted = Faults(rawValue: 4)
    /// `content-length` is not the length of the body, or no number.
    static let lengthWrong = Faults(rawValue: 8)
    /// Lines end with CR LF.
    static let hasCarriageReturn = Faults(rawValue: 16)
    /// It has more headers than the limit.
    static let hasMoreHeaders = Faults(rawValue: 32)
  }

  /// The whole frame with its NUL.
  var range = ByteRange()
  /// The command line, without its line end.
  var line = ByteRange()
  /// Nil for a word that is not a command.
  var command: STOMPCommand?
  /// In order, including repeated ones.
  private(set) var headers = ContiguousArray<Header>()
  /// A bit for each kind in `headers`, to find absent ones fast.
  private var kinds: UInt32 = 0
  /// Two headers may have the same name.
  private(set) var mayRepeat = false
  /// A header may have a fault; most frames have no such header.
  private(set) var hasOddHeaders = false
  /// Header lines without a colon.
  private(set) var withoutColon = ContiguousArray<LooseLine>()
  var body = ByteRange()
  /// The value of `content-length`.
  var announced: Int?
  var faults: Faults = []
  /// It was read from JSON: nothing is escaped.
  var isDecoded = false
  /// Its body is not known: the log does not print it.
  var lacksBody = false
  /// Not all of its headers are known: the log prints only some.
  var lacksHeaders = false

  /// The first header of a kind, which is the one that counts (STOMP 1.2, "Repeated Header
  /// Entries").
  func first(_ kind: STOMPHeader) -> Header? {
    if !has(kind) { return nil }
    // By index: an iterator would retain the array.
    for number in headers.indices where headers[number].kind == kind { return headers[number] }
    return nil
  }

  func has(_ kind: STOMPHeader) -> Bool { kinds >> kind.rawValue & 1 != 0 }

  /// It is about a subscription that outlives connections.
  var isOfDurable: Bool {
    has(.durable) || has(.subscriptionName) || has(.durableSubscriptionName)
      || has(.durableSubscriberName)
  }

  /// Whether it has one of each of these kinds.
  func has(all kinds: STOMPHeaders) -> Bool { kinds.rawValue & ~self.kinds == 0 }

  @inline(__always)
  mutating func append(_ header: Header) {
    if has(header.kind) { mayRepeat = true }
    let isOdd = header.hasColon || header.hasBackslash || header.isPadded || header.value.isEmpty
    if isOdd || header.kind == .other { hasOddHeaders = true }
    kinds |= 1 << header.kind.rawValue
    headers.append(header)
  }

  /// Sets the range of a header's value in the reported message.
  mutating func show(_ number: Int, at range: ByteRange) { headers[number].shown = range }

  /// A line before the body, while it is read.
  private struct Line {
    var start: Int
    /// The first colon.
    var colon: Int?
    /// Whether such a byte follows the first colon.
    var (hasColon, hasBackslash) = (false, false)

    init(_ start: Int) { self.start = start }
  }

  /// Backslash, colon and LF, as a set for `places(ofThree:)`.
  private static let marks: UInt32 = 0x0A0A_3A5C

  /// Reads the lines before the body.
  ///
  /// - Parameters:
  ///   - end: the end of the last line.
  ///   - most: the limit of headers.
  /// - Returns: the start of the body; nil when no blank line ends the headers.
  mutating func readHead(_ bytes: RawSpan, from start: Int, to end: Int, most: Int) -> Int? {
    headers.removeAll(keepingCapacity: true)
    (kinds, mayRepeat, hasOddHeaders) = (0, false, false)
    if !withoutColon.isEmpty { withoutColon.removeAll(keepingCapacity: true) }
    (announced, faults, body) = (nil, [], ByteRange())
    let head = bytes.extracting(0..<end)
    var next = Line(start)
    for block in stride(from: start, to: end, by: 64) {
      var places = head.places(ofThree: Self.marks, from: block)
      while places != 0 {
        let at = block &+ places.trailingZeroBitCount
        places &= places &- 1
        switch bytes.byte(at: at) {
        case .lineFeed:
          if take(bytes, next, to: at, isFirst: next.start == start, most: most) { return at + 1 }
          next = Line(at + 1)
        case .backslash: next.hasBackslash = true
        default:
          if next.colon == nil { next.colon = at } else { next.hasColon = true }
        }
      }
    }
    if next.start < end || next.start == start {
      _ = take(bytes, next, to: end, isFirst: next.start == start, most: most)
    }
    faults.insert(.blankLineMissing)
    return nil
  }

  /// Takes a line; true for the blank one that ends the headers.
  @inline(__always)
  private mutating func take(
    _ bytes: RawSpan, _ next: Line, to end: Int, isFirst: Bool, most: Int
  ) -> Bool {
    var stop = end
    // STOMP 1.2 allows CR before LF.
    if stop > next.start, bytes.byte(at: stop - 1) == .carriageReturn {
      stop -= 1
      faults.insert(.hasCarriageReturn)
    }
    if isFirst {
      line = ByteRange(next.start, stop)
      command = STOMPCommand(bytes[line])
      return false
    }
    if stop == next.start { return true }
    header(bytes, next, to: stop, most: most)
    return false
  }

  private mutating func header(_ bytes: RawSpan, _ line: Line, to end: Int, most: Int) {
    guard let colon = line.colon else {
      if withoutColon.count < most {
        withoutColon.append(
          LooseLine(range: ByteRange(line.start, end), place: headers.count))
      }
      return
    }
    if headers.count == most {
      faults.insert(.hasMoreHeaders)
      return
    }
    let name = ByteRange(line.start, colon)
    let value = ByteRange(colon + 1, end)
    let kind = STOMPHeader(bytes[name])
    if kind == .contentLength && announced == nil && !faults.contains(.lengthWrong) {
      // Servers trim it in all versions; a blank that is not allowed is another fault.
      announced = Self.number(bytes[STOMPText.trimmed(value, bytes)])
      if announced == nil { faults.insert(.lengthWrong) }
    }
    let isPadded =
      !value.isEmpty
      && (bytes.byte(at: value.start) == .space || bytes.byte(at: value.end - 1) == .space)
    append(
      Header(
        kind: kind, name: name, value: value, hasColon: line.hasColon,
        hasBackslash: line.hasBackslash, isPadded: isPadded))
  }

  /// A decimal number of at most 15 digits; nil for anything else.
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
