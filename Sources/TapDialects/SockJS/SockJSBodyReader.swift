// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Splits the body of a response into frames, one per line, as it arrives (SockJS protocol 0.3.4,
/// "HTTP streaming" and "HTTP polling").
struct SockJSBodyReader {
  enum Form {
    /// `xhr` and `xhr_streaming`: the frame itself.
    case plain
    /// `eventsource`: `data: `, then the frame.
    case event
    /// `htmlfile` and `jsonp`: a call with the frame as a string, `p("…");`.
    case call
  }

  let form: Form
  private var lines: BodyPieces

  init(_ form: Form, limits: Limits) { (self.form, lines) = (form, BodyPieces(limits: limits)) }

  /// A line is longer than can be held.
  var isTooLarge: Bool { lines.isTooLarge }

  /// It holds an incomplete line.
  var isInside: Bool { !lines.held.isEmpty }

  /// The held line may be a complete frame without its line end.
  var mayBeWhole: Bool {
    let last = lines.held.bytes.byte(at: lines.held.count - 1)
    return lines.held.count == 1 || last == UInt8(ascii: "]") || last == UInt8(ascii: ";")
  }

  /// The next bytes of the body.
  mutating func receive(_ bytes: RawSpan, _ take: (RawSpan) -> Void) -> HTTPBodyUse {
    let form = form
    return lines.split(bytes, at: .lineFeed) { Self.line($0, form, take) }
  }

  /// The held line is complete.
  mutating func finish(_ take: (RawSpan) -> Void) {
    let form = form
    if isInside { _ = lines.end { Self.line($0, form, take) } }
  }

  /// Drops the held bytes, which will not be completed, and the rest of their line.
  mutating func drop() { lines.drop() }

  /// Takes a line; true when it contains a frame.
  private static func line(_ bytes: RawSpan, _ form: Form, _ take: (RawSpan) -> Void) -> Bool {
    var end = bytes.byteCount
    if end > 0, bytes.byte(at: end - 1) == .carriageReturn { end -= 1 }
    let line = bytes.extracting(0..<end)
    switch form {
    case .plain:
      if line.isEmpty || isFiller(line) { return false }
      take(line)
    case .event:
      guard line.starts(with: "data:") else { return false }
      let frame = line.dropping(line.starts(with: "data: ") ? 6 : 5)
      if frame.isEmpty { return false }
      var text = Scratch()
      unescape(event: frame, to: &text)
      take(text.bytes)
    case .call:
      guard let call = call(line) else { return false }
      take(JSON.unescaped(line[call]).span.bytes)
    }
    return true
  }

  /// The 2 KiB of `h` at the beginning of a streaming response; a single `h` is a heart-beat.
  private static func isFiller(_ line: RawSpan) -> Bool {
    line.byteCount > 1 && (0..<line.byteCount).allSatisfy { line.byte(at: $0) == UInt8(ascii: "h") }
  }

  /// The string's range in `p("…");` or `/**/callback("…");`.
  private static func call(_ line: RawSpan) -> ByteRange? {
    guard let open = line.firstIndex(of: UInt8(ascii: "(")), open + 1 < line.byteCount,
      line.byte(at: open + 1) == UInt8(ascii: "\"")
    else { return nil }
    var end = line.byteCount
    while end > open + 2, line.byte(at: end - 1) != UInt8(ascii: ")") { end -= 1 }
    guard end > open + 3, line.byte(at: end - 2) == UInt8(ascii: "\"") else { return nil }
    return ByteRange(open + 2, end - 2)
  }

  /// Unescapes only the escapes of sockjs-node, `%25`, `%0D`, `%0A` and `%00`, as other servers do
  /// not escape percent signs.
  private static func unescape(event frame: RawSpan, to text: inout Scratch) {
    let escapes: [(StaticString, UInt8)] = [
      ("%25", 0x25), ("%0D", 0x0D), ("%0A", 0x0A), ("%00", 0),
    ]
    var at = 0
    while at < frame.byteCount {
      let rest = frame.dropping(at)
      if let escape = escapes.first(where: { rest.starts(with: $0.0) }) {
        text.append(escape.1)
        at += 3
      } else {
        text.append(frame.byte(at: at))
        at += 1
      }
    }
  }
}
