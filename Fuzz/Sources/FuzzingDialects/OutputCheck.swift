// SPDX-License-Identifier: Apache-2.0
internal import Fuzzing
public import TapBytes
internal import TapEncodings
internal import TapRender
public import TapTraffic

/// Renders everything twice: as NDJSON into the given text, and as lines into a second one.
public struct BothRenderers: Renderer {
  private final class Beside { var text = TextBuffer() }

  private var ndjson = NDJSONRenderer(inputs: ["input"])
  private var line: LineRenderer
  private let beside = Beside()

  /// - Parameter width: the terminal's columns; nil without a terminal.
  public init(width: Int?) {
    var options = LineRenderer.Options()
    options.width = width
    (options.showsAll, options.showsNotes) = (true, true)
    line = LineRenderer(options)
  }

  /// Lends the rendered lines.
  public func withLines(_ body: (inout TextBuffer) -> Void) { body(&beside.text) }

  public mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    ndjson.opened(opening, connection: connection, delivery, into: &text)
    line.opened(opening, connection: connection, delivery, into: &beside.text)
  }

  public mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    _ = ndjson.message(message, view, into: &text)
    return line.message(message, view, into: &beside.text)
  }

  public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    ndjson.finding(finding, connection: connection, messages: messages, into: &text)
    line.finding(finding, connection: connection, messages: messages, into: &beside.text)
  }

  public mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    ndjson.closed(closing, connection: connection, delivery, into: &text)
    line.closed(closing, connection: connection, delivery, into: &beside.text)
  }

  public mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    ndjson.summary(summary, into: &text)
    line.summary(summary, into: &beside.text)
  }
}

/// Checks for UTF-8 without control characters: the traffic cannot control the terminal.
public func expectClean(_ text: RawSpan) {
  for at in 0..<text.byteCount where text.byte(at: at) < 0x20 && text.byte(at: at) != 0x0A {
    fail("the output has the control byte \(text.byte(at: at)) at \(at): \(quote(text))")
  }
  if let at = UTF8.firstInvalid(in: text) { fail("no UTF-8 at \(at): \(quote(text))") }
}

/// Checks that each line is a JSON object that begins with its event.
public func expectNDJSON(_ text: RawSpan) {
  expectClean(text)
  var scanner = JSONScanner(maximumDepth: 2048)
  var start = 0
  while start < text.byteCount {
    guard let end = text.firstIndex(of: 0x0A, from: start) else {
      fail("the last line has no end: \(quote(text.dropping(start)))")
    }
    let line = text.extracting(start..<end)
    if !line.starts(with: #"{"event":""#) { fail("a line without event: \(quote(line))") }
    if scanner.scan(line) != line.byteCount || !scanner.isStrict {
      fail("no JSON at \(scanner.offset): \(quote(line))")
    }
    start = end + 1
  }
}

private func quote(_ text: RawSpan) -> String {
  String(decoding: text.copied(), as: Unicode.UTF8.self)
}
