// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapRender
import TapTraffic

/// Keeps each line with the packet that it is about, and prints nothing.
struct AnnotationRenderer: Renderer {
  private var lines: LineRenderer
  private let annotations: Annotations

  init(_ options: LineRenderer.Options, _ annotations: Annotations) {
    lines = LineRenderer(options)
    self.annotations = annotations
  }

  /// Takes what was written behind `start` out of the text.
  private func keep(_ text: inout TextBuffer, from start: Int, _ origin: Origin) {
    annotations.append(text.bytes.extracting(start..<text.count), packet: origin.record)
    text.truncate(start)
  }

  mutating func begins(at time: Instant) { lines.begins(at: time) }

  mutating func named(_ namings: ContiguousArray<NamedValue>) { lines.named(namings) }

  mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    let start = text.count
    lines.opened(opening, connection: connection, delivery, into: &text)
    keep(&text, from: start, delivery.origin)
  }

  mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    let start = text.count
    let isShown = lines.message(message, view, into: &text)
    keep(&text, from: start, message.origin)
    return isShown
  }

  mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    let start = text.count
    lines.finding(finding, connection: connection, messages: messages, into: &text)
    keep(&text, from: start, finding.origin)
  }

  mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    let start = text.count
    lines.closed(closing, connection: connection, delivery, into: &text)
    keep(&text, from: start, delivery.origin)
  }

  mutating func summary(_ summary: Summary, into text: inout TextBuffer) {}
}
