// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A frame as Spring prints it: `SUBSCRIBE /topic/chat id=sub-0 session=k3v0qz1x`, or
/// `MESSAGE {destination=[/topic/chat]} session=k3v0qz1x application/json payload=hello`.
struct SpringFrame {
  let command: STOMPCommand
  /// Empty when not printed.
  private(set) var session = ""
  private var headers: [(name: [UInt8], value: [UInt8])] = []
  /// Nil when not printed, or truncated.
  private var body: [UInt8]?

  /// - Parameter text: from the command to the end of the line. Nil when it is not such a frame.
  init?(_ text: RawSpan) {
    var at = 0
    while at < text.byteCount, text.byte(at: at) &- 0x41 < 26 { at += 1 }
    guard let command = STOMPCommand(text.extracting(0..<at)), at < text.byteCount else {
      return nil
    }
    self.command = command
    let isEncoded = text.dropping(at).starts(with: ", headers={")
    if isEncoded { at += 10 } else if text.byte(at: at) != .space { return nil }
    while at < text.byteCount {
      if text.byte(at: at) == .space {
        at += 1
      } else if text.dropping(at).starts(with: "payload=") {
        take(payload: text.dropping(at + 8))
        break
      } else if text.byte(at: at) == UInt8(ascii: "{") {
        at = take(map: text, at + 1)
      } else if let end = take(field: text, at) {
        at = end
      } else {
        return nil
      }
    }
    if !isEncoded && session.isEmpty { return nil }
  }

  func value(_ name: String) -> [UInt8]? {
    headers.first { $0.name.elementsEqual(name.utf8) }?.value
  }

  /// Takes `id=sub-0`, `heart-beat=[0, 0]`, a lone destination, or the content type after the
  /// session. Returns its end; nil for other words.
  private mutating func take(field text: RawSpan, _ start: Int) -> Int? {
    var (at, equals, depth) = (start, -1, 0)
    while at < text.byteCount, text.byte(at: at) != .space || depth > 0 {
      switch text.byte(at: at) {
      case UInt8(ascii: "=") where equals < 0: equals = at
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      default: break
      }
      at += 1
    }
    let isFirst = headers.isEmpty && session.isEmpty
    if isFirst && (command == .send || command == .subscribe) {
      headers.append((Array("destination".utf8), text.extracting(start..<at).copied()))
      return at
    }
    if equals < 0 { return session.isEmpty ? nil : at }
    let (name, value) = (text.extracting(start..<equals), text.extracting(equals + 1..<at))
    if name.equals("session") {
      session = String(decoding: value.copied(), as: Unicode.UTF8.self)
    } else if name.equals("id") || name.equals("receipt") {
      headers.append((name.copied(), value.copied()))
    } else if name.equals("heart-beat"), value.byteCount > 2 {
      let numbers = value.extracting(1..<value.byteCount - 1).copied()
      headers.append((name.copied(), numbers.filter { $0 != .space }))
    }
    return at
  }

  /// Takes `destination=[/topic/chat], id=[sub-0]}`; returns its end.
  private mutating func take(map text: RawSpan, _ start: Int) -> Int {
    var at = start
    while at < text.byteCount {
      guard let equals = text.firstIndex(of: UInt8(ascii: "="), from: at),
        text.dropping(equals).starts(with: "=[")
      else { break }
      let value = equals + 2
      var end = value
      while end < text.byteCount, !Self.ends(text, end) { end += 1 }
      headers.append((text.extracting(at..<equals).copied(), text.extracting(value..<end).copied()))
      if end + 1 >= text.byteCount || text.byte(at: end + 1) == UInt8(ascii: "}") {
        return min(end + 2, text.byteCount)
      }
      at = end + 3
    }
    return (text.firstIndex(of: UInt8(ascii: "}"), from: at) ?? text.byteCount - 1) + 1
  }

  /// `], ` or `]}`.
  private static func ends(_ text: RawSpan, _ at: Int) -> Bool {
    text.byte(at: at) == UInt8(ascii: "]")
      && (at + 1 == text.byteCount || text.byte(at: at + 1) == UInt8(ascii: "}")
        || text.dropping(at + 1).starts(with: ", "))
  }

  private mutating func take(payload text: RawSpan) {
    let octets = text.copied()
    let isCut = octets.suffix(14).elementsEqual("...(truncated)".utf8)
    if !isCut && !text.starts(with: "byte[") { body = octets }
  }

  /// The JSON for the STOMP layer; it may lack headers that were not printed.
  func json() -> [UInt8] {
    var json = TextBuffer(capacity: 256)
    json.append("{")
    json.member("command", word: command.name)
    json.list("headers", of: headers) { header, json in
      json.append("[")
      json.append(jsonString: header.name.span.bytes)
      json.append(",")
      json.append(jsonString: header.value.span.bytes)
      json.append("]")
    }
    if let body {
      json.member("body", body.span.bytes)
    } else {
      json.member("body", word: command.mayHaveBody ? nil : "")
    }
    json.append(#","isPartial":true}"#)
    return json.bytes.copied()
  }
}
