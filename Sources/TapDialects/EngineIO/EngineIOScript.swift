// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// The payload of JSONP polling, for old browsers (engine.io-protocol, "JSONP").
enum EngineIOScript {
  /// The argument of the function call in a response: `___eio[0]("…");`. Servers escape it like
  /// JSON; some escape only quotes. False when there is no such call.
  static func payload(ofScript body: RawSpan, into text: inout Scratch) -> Bool {
    guard let open = body.firstIndex(of: UInt8(ascii: "(")), open + 1 < body.byteCount,
      body.byte(at: open + 1) == UInt8(ascii: "\"")
    else { return false }
    var end = body.byteCount - 1
    while end > open + 1, body.byte(at: end) != UInt8(ascii: "\"") { end -= 1 }
    guard end > open + 1 else { return false }
    text.append(JSON.unescaped(body.extracting((open + 2)..<end)).span.bytes)
    return true
  }

  /// The field `d` of a form, in which a line end is `\n`, and a backslash before an n is doubled.
  /// False when there is none.
  static func payload(ofForm body: RawSpan, into text: inout Scratch) -> Bool {
    var field = Scratch()
    guard FormField.append("d=", of: body, to: &field) else { return false }
    var at = 0
    let bytes = field.bytes
    while at < bytes.byteCount {
      let rest = bytes.dropping(at)
      if rest.starts(with: "\\\\n") {
        text.append("\\n")
        at += 3
      } else if rest.starts(with: "\\n") {
        text.append(.lineFeed)
        at += 2
      } else {
        text.append(bytes.byte(at: at))
        at += 1
      }
    }
    return true
  }
}
