// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// A renderer in a heap cell of its own, for the same reason as a ``Boxed`` layer: a call need not
/// check whether the renderer is uniquely owned.
public struct BoxedRenderer<Wrapped: Renderer>: Renderer {
  @usableFromInline let cell: Cell<Wrapped>

  @inlinable public init(_ wrapped: consuming Wrapped) { cell = Cell(wrapped) }

  @inlinable public mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    cell.value.opened(opening, connection: connection, delivery, into: &text)
  }

  @inlinable public mutating func refused(_ attempt: Opening, _ delivery: Delivery) {
    cell.value.refused(attempt, delivery)
  }

  @inlinable public mutating func named(_ namings: ContiguousArray<NamedValue>) {
    cell.value.named(namings)
  }

  @inlinable public mutating func begins(at time: Instant) { cell.value.begins(at: time) }

  @inlinable public mutating func nextMayMatch() { cell.value.nextMayMatch() }

  @inlinable public mutating func hidden(_ message: Message, _ view: MessageView) {
    cell.value.hidden(message, view)
  }

  @inlinable public mutating func context(
    _ words: RawSpan, _ line: ContextLine, into text: inout TextBuffer
  ) {
    cell.value.context(words, line, into: &text)
  }

  @inlinable public mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    cell.value.message(message, view, into: &text)
  }

  @inlinable public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    cell.value.finding(finding, connection: connection, messages: messages, into: &text)
  }

  @inlinable public mutating func unreported(_ finding: Finding, connection: UInt32) {
    cell.value.unreported(finding, connection: connection)
  }

  @inlinable public mutating func keepAlive(_ keepAlive: KeepAlive, connection: UInt32) {
    cell.value.keepAlive(keepAlive, connection: connection)
  }

  @inlinable public mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    cell.value.closed(closing, connection: connection, delivery, into: &text)
  }

  @inlinable public mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    cell.value.summary(summary, into: &text)
  }

  @inlinable public mutating func preview(_ summary: Summary, into text: inout TextBuffer) {
    cell.value.preview(summary, into: &text)
  }

  @inlinable public var hasPreview: Bool { cell.value.hasPreview }

  @inlinable public var isDecided: Bool { cell.value.isDecided }

  @inlinable public var wishes: Detail.Wishes { cell.value.wishes }

  @inlinable public mutating func detail(
    _ detail: Detail, _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) {
    cell.value.detail(detail, message, view, into: &text)
  }
}
