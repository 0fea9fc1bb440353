// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapEvidence
internal import TapTraffic

/// One frame of WebSocket as a program prints it (RFC 6455 §5.2).
struct LoggedFrame {
  /// How its fields stand on a line.
  enum Notation: Sendable {
    /// `fin = True, rsv = 0, opcode = 1, mask = -, …, payload = b'…'`, bytes in hexadecimal.
    case fields
    /// `fin=1 opcode=1 data=b'…'`
    case data
    /// The data of a frame of this opcode, and how many bytes it has: `93 21 … [8 bytes]`.
    case sized(Opcode)
    /// A whole message of bytes, in whatever notation.
    case octets
    /// The bytes of a whole frame, its head among them: `b'\x81\x85…'`; the `b` is of the mark.
    case wire
    /// A whole message of bytes, whose end the logger may have left out: `932101ce`,
    /// `[hex=932101ce]`, `[size=4096 hex=9321…]`.
    case hexadecimal
    /// The code of a CLOSE frame and its reason: `1000 Goodbye`, `1000 / Goodbye`.
    case closing
  }

  var opcode = Opcode.text
  var isFinal = true
  /// RSV1 to RSV3, RSV1 as 4.
  var reserved: UInt8 = 0
  /// What it was masked with, the first byte in the lowest bits; nil where the line does not say.
  var key: UInt32?
  var payload = Scratch()
  /// Bytes that were sent, where the logger has left out some of them; `Int.max` where it does
  /// not say how many.
  var length = 0

  var isCut: Bool { length > payload.count }

  /// A message is put together of it; else it is a control frame.
  var isData: Bool { !opcode.isControl }

  /// The frame behind a mark; nil when there is none.
  static func find(_ line: RawSpan, _ start: Int, _ notation: Notation) -> LoggedFrame? {
    // A reason ends with the line, or with the string of the record that it stands in.
    if case .closing = notation, let words = RecordString.rest(line, from: start) {
      return LoggedFrame(words.bytes, 0, notation)
    }
    return LoggedFrame(line, start, notation)
  }

  /// The message of a frame that is whole, or was put together, with what it needs to be one.
  func message(
    _ place: Range<Int>, _ recogniser: any TextRecogniser, takesSentJSON: Bool
  ) -> FoundMessage {
    if opcode == .text && isCut {
      return FoundMessage(beginning: beginning, place, takesSentJSON: takesSentJSON)
    }
    let kind: Delivery.Kind = opcode == .text ? .text : isCut ? .withheld : .binary
    let recognition = recogniser.recognise(payload.bytes, kind)
    let isNone = recognition.grade == .none
    var found = FoundMessage(
      kind == .withheld ? abridged : payload, isNone ? Recognition(.possible) : recognition, kind,
      place)
    if kind == .withheld { found.needs = .handshake } else if isNone { found.needs = .conversation }
    return found
  }

  /// The same, taken for JSON that was sent, for where no conversation has begun: an object, or any
  /// whole list. Nil where it is none.
  func sentJSON(
    _ place: Range<Int>, _ recogniser: any TextRecogniser, _ limits: Limits
  ) -> FoundMessage? {
    if opcode != .text || isCut { return nil }
    var recognition = recogniser.recognise(sent: payload.bytes, .text)
    if recognition.grade == .none {
      guard isFinal, JSONScanner.isList(payload.bytes, limits) else { return nil }
      recognition = Recognition(.possible)
      recognition.needsSender = true
    }
    return FoundMessage(payload, recognition, .text, place)
  }

  /// The beginning of a text, without a character of which the rest is missing.
  private var beginning: Scratch {
    var text = payload
    if let end = UTF8.firstInvalid(in: text.bytes), text.count - end < 4 { text.truncate(end) }
    return text
  }

  /// The beginning of its bytes, and words that say how much is missing.
  private var abridged: Scratch {
    let count = payload.count
    var bytes = payload
    bytes.append(
      length < .max
        ? "\(counted(length, "byte")), of which the log has \(count)"
        : "more than \(counted(count, "byte")), of which the log has no more")
    return bytes
  }

  /// The beginning of a message of bytes.
  init(beginning: Scratch) { (opcode, payload, length) = (.binary, beginning, .max) }

  /// Nil when there is none behind `start`.
  init?(_ line: RawSpan, _ start: Int, _ notation: Notation) {
    switch notation {
    case .fields: if !read(fields: line, start) { return nil }
    case .data:
      guard let code = Self.number("opcode=", line, start), code < 16,
        let at = Self.value("data=", line, start)
      else { return nil }
      opcode = Opcode(rawValue: UInt8(code))
      if let fin = Self.value("fin=", line, start) {
        isFinal =
          line.byte(at: fin) != UInt8(ascii: "0") && !line.dropping(fin).starts(with: "False")
      }
      if let octets = LoggedOctets(line, at, isText: true) {
        payload = octets.bytes
      } else if let beginning = LoggedOctets.beginning(line, at) {
        (payload, length) = (beginning, .max)
      }
    case .sized(let code):
      opcode = code
      if !read(sized: line, start) { return nil }
    case .hexadecimal:
      opcode = .binary
      let at = Self.value("hex=", line, start) ?? start
      guard let octets = LoggedOctets(line, at), octets.isHexadecimal else { return nil }
      payload = octets.bytes
    case .closing:
      opcode = .close
      guard let closing = Self.closing(words: line.dropping(start)) else { return nil }
      payload = closing
    case .octets:
      opcode = .binary
      guard let octets = LoggedOctets(line, start) else { return nil }
      payload = octets.bytes
    case .wire:
      guard let octets = LoggedOctets(line, start - 1), read(wire: octets.bytes.bytes) else {
        return nil
      }
    }
  }

  /// A frame by the names of its fields; answers whether it is one.
  private mutating func read(fields line: RawSpan, _ start: Int) -> Bool {
    guard let code = Self.number("opcode = ", line, start), code < 16,
      let at = Self.value("payload = ", line, start)
    else { return false }
    opcode = Opcode(rawValue: UInt8(code))
    if let fin = Self.value("fin = ", line, start) {
      isFinal = line.dropping(fin).starts(with: "True")
    }
    reserved = UInt8(clamping: Self.number("rsv = ", line, start) ?? 0)
    length = Self.number("length = ", line, start) ?? 0
    if let at = Self.value("mask = ", line, start), var octets = LoggedOctets(line, at) {
      octets.openHex()
      if octets.bytes.count == 4 { key = octets.bytes.bytes.uint32(at: 0).byteSwapped }
    }
    guard var octets = LoggedOctets(line, at, isText: opcode == .text) else { return false }
    // The bytes may be printed as hexadecimal digits in quotes.
    if opcode != .text && octets.bytes.count == length * 2 { octets.openHex() }
    payload = octets.bytes
    // Texts are printed whole. Where somebody has masked a word in one, its length has changed.
    if opcode != .binary { length = payload.count }
    return true
  }

  /// The data of a frame, and how many bytes it has; answers whether all that is there.
  private mutating func read(sized line: RawSpan, _ start: Int) -> Bool {
    guard let size = Measured.size(line), size.start > start else { return false }
    // A whole text message is read elsewhere, as its middle may be missing: see `Measured`.
    if opcode == .text && !size.isContinued { return false }
    isFinal = !size.isContinued
    length = size.value
    let data = line.extracting(start..<max(start, size.start - 1))
    if opcode == .close {
      payload = Self.closing(data)
      length = payload.count
    } else if let string = Measured(line, start + 1, size), let text = string.content(line) {
      payload = text
    } else if length > 0 {
      guard let octets = LoggedOctets(data, 0) else { return false }
      payload = octets.bytes
      if octets.end == data.byteCount { dropEnd() }
    }
    return true
  }

  /// A frame as it is sent (RFC 6455 §5.2); answers whether it is one, and whole.
  private mutating func read(wire octets: RawSpan) -> Bool {
    guard let header = FrameOutline(octets, at: 0), header.opcode.isKnown,
      octets.byteCount - header.size == header.length
    else { return false }
    (isFinal, reserved) = (header.first & 0x80 != 0, header.first >> 4 & 7)
    opcode = header.opcode
    payload.append(octets.dropping(header.size), unmaskedWith: header.key, phase: 0)
    return true
  }

  /// Drops all behind a cut. `websockets` puts two zeros in place of the middle, to be replaced by
  /// dots; often the text is then short enough to be printed with the zeros.
  private mutating func dropEnd() {
    guard isCut, payload.count % 3 == 2 else { return }
    let count = payload.count / 3 * 2
    guard payload.bytes.uint16(at: count) == 0 else { return }
    payload.truncate(count)
  }

  /// `1000 (OK) reason` as the payload of a CLOSE frame (RFC 6455 §5.5.1).
  private static func closing(_ text: RawSpan) -> Scratch {
    var digits = DigitReader(text)
    guard let code = digits.number(most: 4)?.value else { return Scratch() }
    let name = text.firstIndex(of: UInt8(ascii: ")"))
    var reason = text.dropping(name.map { $0 + 1 } ?? text.byteCount)
    if reason.starts(with: " ") { reason = reason.dropping(1) }
    return closing(code, reason)
  }

  /// `1000 Goodbye` or `1000 / Goodbye` as that payload; nil without a code.
  private static func closing(words: RawSpan) -> Scratch? {
    var digits = DigitReader(words)
    guard let code = digits.number(exactly: 4), (1000..<5000).contains(code),
      digits.peek == .space || digits.at == words.byteCount
    else { return nil }
    while digits.take(.space) || digits.take(.slash) {}
    let end = words.beforeSpace(words.byteCount, from: digits.at)
    return closing(code, words.extracting(digits.at..<end))
  }

  private static func closing(_ code: Int, _ reason: RawSpan) -> Scratch {
    var payload = Scratch()
    // A number that stands for none was not sent (RFC 6455 §7.4.1).
    if code == 1005 || code == 1006 { return payload }
    payload.append(UInt8(code >> 8 & 0xFF))
    payload.append(UInt8(code & 0xFF))
    payload.append(reason)
    return payload
  }

  /// Bytes of the frame as they were on the wire.
  func octets() -> Scratch {
    var frame = Scratch()
    frame.append((isFinal ? 0x80 : 0) | reserved << 4 | opcode.rawValue)
    let mark: UInt8 = key == nil ? 0 : 0x80
    let count = payload.count
    if count < 126 {
      frame.append(mark | UInt8(count))
    } else {
      frame.append(mark | (count < 65536 ? 126 : 127))
      for shift in stride(from: count < 65536 ? 8 : 56, through: 0, by: -8) {
        frame.append(UInt8(truncatingIfNeeded: count >> shift))
      }
    }
    if let key {
      for shift: UInt32 in [0, 8, 16, 24] { frame.append(UInt8(truncatingIfNeeded: key >> shift)) }
    }
    frame.append(payload.bytes, unmaskedWith: key ?? 0, phase: 0)
    return frame
  }

  private static func value(_ name: StaticString, _ line: RawSpan, _ start: Int) -> Int? {
    line.firstIndex(of: name, from: start).map { $0 + name.utf8CodeUnitCount }
  }

  private static func number(_ name: StaticString, _ line: RawSpan, _ start: Int) -> Int? {
    guard let at = value(name, line, start) else { return nil }
    var digits = DigitReader(line.extracting(at..<min(line.byteCount, at + 12)))
    return digits.number(most: 9)?.value
  }
}
