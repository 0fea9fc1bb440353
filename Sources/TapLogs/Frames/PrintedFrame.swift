// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings

/// A frame of STOMP as programs print it.
struct PrintedFrame {
  /// As it is sent; where only its parts are printed, in the order in which they are.
  private(set) var bytes = Scratch()
  /// Where it begins, where that was looked for, and the offset behind it.
  private(set) var (start, end) = (0, 0)

  /// What version 4 prints in place of a credential, without quotes.
  private static let hidden: StaticString = "bpasscode:********"

  /// `b'SEND', b'\n', …]`; nil where that is not all there.
  init?(pieces line: RawSpan, _ start: Int) {
    var at = start
    while at < line.byteCount {
      if line.dropping(at).starts(with: Self.hidden) {
        at += Self.hidden.utf8CodeUnitCount
        bytes.append("passcode:********\n")
        guard at < line.byteCount, line.byte(at: at) == .comma else { return nil }
        at = line.behindSpace(at + 1)
        continue
      }
      guard LiteralString.begins(line, at), line.byte(at: at) == UInt8(ascii: "b"),
        let end = Escape.unescape(
          line, at + 2, until: line.byte(at: at + 1), isBytes: true, into: &bytes),
        end < line.byteCount
      else { return nil }
      if line.byte(at: end) == .closeBracket {
        self.end = end + 1
        return
      }
      guard line.byte(at: end) == .comma else { return nil }
      at = line.behindSpace(end + 1)
    }
    return nil
  }

  /// Lines as they were sent; nil where nothing ends them.
  init?(lines text: RawSpan, _ start: Int) {
    end = text.byteCount
    guard let command = FrameLines.command(text, start) else { return nil }
    if FrameLines.isBeat(command) {
      bytes.append(.lineFeed)
      return
    }
    switch FrameLines.state(text, start) {
    case .whole(let stop):
      bytes.append(text.extracting(start..<stop))
      bytes.append(0)
    case .withoutBody(let stop): append(head: text.extracting(start..<stop))
    case .open, .none: return nil
    }
  }

  /// A whole frame that any program prints: lines below its command, or a string with escapes,
  /// `"CONNECT\nhost:/\n\n\x00"`. Nil where there is none.
  init?(in line: RawSpan) {
    if let first = line.firstIndex(of: .lineFeed) {
      let command = line.before(PlainLine.end(line.extracting(0..<first))) { $0.isUppercase }
      guard case .whole(let stop) = FrameLines.state(line, command) else { return nil }
      self.init(lines: line, command)
      (start, end) = (command, min(stop + 1, line.byteCount))
      return
    }
    var quote = line.firstIndex(of: .quote)
    while let open = quote {
      let command = line.behind(open + 1) { $0.isUppercase }
      var next = open + 1
      if command > open + 1, command < line.byteCount, line.byte(at: command) == .backslash {
        var text = Scratch()
        // A string without an end has all that follows in it.
        guard
          let close = Escape.unescape(line, open + 1, until: .quote, isBytes: false, into: &text)
        else { return nil }
        if case .whole = FrameLines.state(text.bytes, 0) {
          self.init(lines: text.bytes, 0)
          (start, end) = (open + 1, close - 1)
          return
        }
        next = close
      }
      quote = line.firstIndex(of: .quote, from: next)
    }
    return nil
  }

  /// The lines of a frame whose body was not printed, as JSON: what the program prints of headers
  /// is unescaped. stomp.js prints content-length once more behind all headers.
  private mutating func append(head text: RawSpan) {
    var json = TextBuffer(capacity: 256)
    var at = text.firstIndex(of: .lineFeed) ?? text.byteCount
    json.append(#"{"command":"#)
    json.append(jsonString: text.extracting(0..<at))
    json.append(#","headers":["#)
    var hasLength = false
    while at < text.byteCount {
      let end = text.firstIndex(of: .lineFeed, from: at + 1) ?? text.byteCount
      let line = text.extracting(at + 1..<end)
      at = end
      guard let colon = line.firstIndex(of: .colon) else { continue }
      let isLength = line.starts(with: "content-length:")
      if isLength && hasLength { continue }
      hasLength = hasLength || isLength
      json.append(json.bytes.byte(at: json.count - 1) == 0x5D ? ",[" : "[")
      json.append(jsonString: line.extracting(0..<colon))
      json.append(",")
      json.append(jsonString: line.dropping(colon + 1))
      json.append("]")
    }
    json.append(#"],"body":null}"#)
    bytes.append(json.bytes)
  }

  /// `MESSAGE', headers={…}, body='…'`, behind the first quote; nil where that is not all there.
  init?(parts line: RawSpan, _ start: Int) {
    var command = Scratch()
    guard
      let behind = Escape.unescape(
        line, start, until: 0x27, isBytes: false, into: &command),
      line.dropping(behind).starts(with: ", headers=")
    else { return nil }
    var reader = LiteralReader(maximumDepth: 2)
    guard let close = reader.read(line, from: behind + 10), !reader.isAbridged,
      line.dropping(close).starts(with: ", body=")
    else { return nil }
    let body = close + 7
    if command.bytes.equals("heartbeat") {
      bytes.append(.lineFeed)
      end = line.byteCount
      return
    }
    var content = Scratch()
    if LiteralString.begins(line, body) {
      let isBytes = line.byte(at: body) == UInt8(ascii: "b")
      let quote = isBytes ? body + 1 : body
      guard
        let end = Escape.unescape(
          line, quote + 1, until: line.byte(at: quote), isBytes: isBytes, into: &content)
      else { return nil }
      self.end = end
    } else {
      guard line.dropping(body).starts(with: "None") else { return nil }
      end = body + 4
    }
    if Self.isNotAsSent(content.bytes) {
      append(command: command.bytes, headers: reader.json.bytes, body: content.bytes)
      return
    }
    bytes.append(command.bytes)
    bytes.append(.lineFeed)
    append(headers: reader.json.bytes, isEscaped: !command.bytes.equals("CONNECTED"))
    bytes.append(.lineFeed)
    bytes.append(content.bytes)
    bytes.append(0)
  }

  /// Whether a body was binary, so that the printed text is not what was sent: a NUL in it ends no
  /// frame, and U+FFFD is longer than the bytes it stands for.
  private static func isNotAsSent(_ body: RawSpan) -> Bool {
    body.contains("\u{FFFD}") || body.firstIndex(of: 0) != nil
  }

  /// The parts of a frame as JSON, whose end is clear whatever stands in them.
  private mutating func append(command: RawSpan, headers object: RawSpan, body: RawSpan) {
    var json = TextBuffer(capacity: 256)
    json.append(#"{"command":"#)
    json.append(jsonString: command)
    json.append(#","headers":["#)
    var at = 1
    while let member = JSON.next(object, &at, inObject: true) {
      json.append(json.bytes.byte(at: json.count - 1) == 0x5D ? ",[" : "[")
      json.append(jsonString: JSON.unescaped(object[member.key]).span.bytes)
      json.append(",")
      json.append(jsonString: JSON.unescaped(object[member.value.content]).span.bytes)
      json.append("]")
    }
    json.append(#"],"body":"#)
    json.append(jsonString: body)
    json.append("}")
    bytes.append(json.bytes)
  }

  /// Members of an object as headers.
  private mutating func append(headers object: RawSpan, isEscaped: Bool) {
    var at = 1
    while let member = JSON.next(object, &at, inObject: true) {
      append(object[member.key], isEscaped: isEscaped)
      bytes.append(.colon)
      append(object[member.value.content], isEscaped: isEscaped)
      bytes.append(.lineFeed)
    }
  }

  /// With the escapes that it was sent with (STOMP 1.2, "Value Encoding").
  private mutating func append(_ content: RawSpan, isEscaped: Bool) {
    if !isEscaped { return bytes.append(JSON.unescaped(content).span.bytes) }
    for byte in JSON.unescaped(content) {
      switch byte {
      case .lineFeed: bytes.append("\\n")
      case .carriageReturn: bytes.append("\\r")
      case .colon: bytes.append("\\c")
      case .backslash: bytes.append("\\\\")
      default: bytes.append(byte)
      }
    }
  }
}
