// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// Where publications and calls went; written at the end, as only what follows them shows it.
public struct TraceRenderer: SelectingRenderer {
  public var selection: (any Renderer)?
  private var book: TraceBook
  private var lines: LineRenderer
  private let form: any TraceForm
  /// Traces that are written at most.
  private let most: Int
  /// Whether the message whose details come next is selected.
  private var isSelected = false
  private var line: [UInt8] = []

  private init(
    _ form: any TraceForm, _ options: LineRenderer.Options, most: Int, _ limits: Limits
  ) {
    (self.form, self.most) = (form, most)
    book = TraceBook(limits)
    var options = options
    if let width = options.width { options.width = max(width - 2, 40) }
    lines = LineRenderer(options)
  }

  /// The lines of the messages, and below them what became of it.
  public static func text(
    _ options: LineRenderer.Options, most: Int, _ limits: Limits = Limits()
  ) -> TraceRenderer {
    TraceRenderer(TraceText(options), options, most: most, limits)
  }

  /// One JSON object for each.
  ///
  /// - Parameter inputs: names of the inputs as typed, by number.
  public static func ndjson(
    _ options: LineRenderer.Options, inputs: [String], most: Int, _ limits: Limits = Limits()
  ) -> TraceRenderer {
    TraceRenderer(TraceNDJSON(inputs: inputs), options, most: most, limits)
  }

  public var wishes: Detail.Wishes { [.details, .distribution] }

  public mutating func begins(at time: Instant) {
    lines.begins(at: time)
    selection?.begins(at: time)
  }

  public mutating func named(_ namings: ContiguousArray<NamedValue>) {
    selection?.named(namings)
  }

  public mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    let begin = text.count
    book.opened(opening, connection: connection)
    selection?.opened(opening, connection: connection, delivery, into: &text)
    text.truncate(begin)
  }

  public mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    let begin = text.count
    isSelected = selection?.message(message, view, into: &text) ?? true
    text.truncate(begin)
    if message.origin.time.isKnown { lines.begins(at: message.origin.time) }
    if message.traits.contains(.isControl) { return false }
    _ = lines.message(message, view, into: &text)
    line = text.bytes.dropping(begin).copied()
    text.truncate(begin)
    return isSelected
  }

  public mutating func detail(
    _ detail: Detail, _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) {
    if message.traits.contains(.isControl) { return }
    let reported = TraceMessage(
      message, view, detail, line: line, isSelected: isSelected)
    book.message(reported, realm: view.bytes[message.realm])
  }

  public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    let begin = text.count
    book.finding(finding, connection: connection)
    selection?.finding(finding, connection: connection, messages: messages, into: &text)
    text.truncate(begin)
  }

  public mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    let begin = text.count
    book.closed(closing, connection: connection, delivery.origin)
    selection?.closed(closing, connection: connection, delivery, into: &text)
    text.truncate(begin)
  }

  public mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    book.publications.settleRivals()
    let publications = book.publications.all.filter(\.isSelected)
    let calls = book.calls.all.filter(\.isSelected)
    var (next, nextCall, shown) = (0, 0, 0)
    while shown < most, next < publications.count || nextCall < calls.count {
      let isCall =
        next == publications.count
        || nextCall < calls.count
          && calls[nextCall].asked.moment.index < publications[next].sent.index
      if isCall {
        form.append(calls[nextCall], book, to: &text)
        nextCall += 1
      } else {
        form.append(publications[next], book, to: &text)
        next += 1
      }
      shown += 1
    }
    let more =
      publications.count + calls.count - shown + book.publications.unkept + book.calls.unkept
    form.end(summary, shown: shown, more: more, book, to: &text)
  }
}
