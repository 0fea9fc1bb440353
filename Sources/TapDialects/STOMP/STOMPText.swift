// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Writes a frame as the JSON that stands for it in every output:
/// `{"command":"SEND","headers":[["destination","/queue/a"]],"body":"hello"}`. Headers are
/// unescaped, in their order, and repeated ones are kept.
struct STOMPText: ~Copyable {
  /// Faults in the encoding of headers (STOMP 1.2, "Value Encoding").
  enum Fault {
    case notUTF8
    /// An escape that the version does not define: the byte after the backslash.
    case undefinedEscape(UInt8)
  }

  private(set) var text = TextBuffer(capacity: 512)
  /// The fault of the last frame, and the header that has it.
  private(set) var fault: (Fault, header: ByteRange)?
  /// The value of `body`; for a text, without quotes.
  private(set) var body = ByteRange()
  /// The body is text, not bytes in Base64.
  private(set) var isBodyText = true
  private var unescaped = Scratch()

  /// Something in it had to be escaped, or is not ASCII.
  private var isOdd = false

  /// It is printable ASCII, which renderers need not escape.
  var isPlain: Bool {
    !isOdd || text.bytes.isPlain
  }

  /// - Parameter version: determines the escapes of headers.
  mutating func write(_ frame: inout STOMPFrame, _ bytes: RawSpan, _ version: STOMPVersion) {
    text.removeAll()
    (fault, isOdd) = (nil, false)
    let isRaw = frame.isDecoded || version == .v10 || frame.command?.isNeverEscaped == true
    text.append(#"{"command":"#)
    if let command = frame.command {
      text.append(byte: .quote)
      text.append(command.name)
      text.append(byte: .quote)
    } else {
      quote(bytes[frame.line], in: frame.line)
    }
    text.append(#","headers":["#)
    for index in frame.headers.indices {
      let header = frame.headers[index]
      text.append(index > 0 ? ",[" : "[")
      if header.kind == .other {
        write(bytes, header.name, isRaw: isRaw, version)
        text.append(",")
      } else {
        text.append("\"")
        text.append(bytes[header.name])
        text.append("\",")
      }
      let start = text.count + 1
      write(bytes, header.value, isRaw: isRaw || !header.hasBackslash, version)
      frame.show(index, at: ByteRange(start, text.count - 1))
      text.append("]")
    }
    text.append(#"],"body":"#)
    if frame.lacksBody {
      (isBodyText, body) = (false, ByteRange())
      text.append("null")
    } else {
      write(body: bytes[frame.body])
    }
    text.append(byte: UInt8(ascii: "}"))
  }

  /// Writes the body; as bytes if it is not UTF-8, whatever its `content-type`.
  private mutating func write(body octets: RawSpan) {
    let start = text.count
    isBodyText = JSONString.appendPlain(octets, to: &text)
    if !isBodyText {
      isOdd = true
      isBodyText = JSONString.append(octets, to: &text) == nil
    }
    if isBodyText { return body = ByteRange(start + 1, text.count - 1) }
    Base64.appendObject(octets, to: &text)
    body = ByteRange(start, text.count)
  }

  private mutating func write(
    _ bytes: RawSpan, _ range: ByteRange, isRaw: Bool, _ version: STOMPVersion
  ) {
    // The examples of 1.0 have a blank after the colon, which is not part of the value.
    let part = version == .v10 ? bytes[STOMPText.trimmed(range, bytes)] : bytes[range]
    if JSONString.appendPlain(part, to: &text) { return }
    if isRaw || part.firstIndex(of: UInt8(ascii: "\\")) == nil { return quote(part, in: range) }
    unescape(part, range, version)
    let words = unescaped
    quote(words.bytes, in: range)
  }

  static func trimmed(_ range: ByteRange, _ bytes: RawSpan) -> ByteRange {
    var (start, end) = (range.start, range.end)
    while start < end, bytes.byte(at: start).isWSP { start += 1 }
    while end > start, bytes.byte(at: end - 1).isWSP {
      end -= 1
    }
    return ByteRange(start, end)
  }

  private mutating func quote(_ part: RawSpan, in range: ByteRange) {
    isOdd = true
    if JSONString.append(part, to: &text) == nil { return }
    if fault == nil { fault = (.notUTF8, range) }
    text.append(jsonString: part)
  }

  /// Unescapes in one pass from left to right. Invalid escapes stay as they are.
  private mutating func unescape(_ part: RawSpan, _ range: ByteRange, _ version: STOMPVersion) {
    unescaped.removeAll()
    var at = 0
    while at < part.byteCount {
      let byte = part.byte(at: at)
      at += 1
      guard byte == UInt8(ascii: "\\") else {
        unescaped.append(byte)
        continue
      }
      let next = at < part.byteCount ? part.byte(at: at) : 0
      switch next {
      case UInt8(ascii: "n"): unescaped.append(.lineFeed)
      case UInt8(ascii: "c"): unescaped.append(UInt8(ascii: ":"))
      case UInt8(ascii: "\\"): unescaped.append(next)
      case UInt8(ascii: "r") where version == .v12: unescaped.append(.carriageReturn)
      default:
        if fault == nil { fault = (.undefinedEscape(next), range) }
        unescaped.append(byte)
        continue
      }
      at += 1
    }
  }
}
