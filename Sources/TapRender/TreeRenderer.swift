// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// The lines of `LineRenderer`, and below each what is inside the message: its elements by the
/// names of the specification, its frames, its bytes.
public struct TreeRenderer: Renderer {
  /// Columns that read well where there is no terminal to say how many there are.
  private static let usualWidth = 100
  /// Less would leave no room for values beside their names.
  private static let leastWidth = 40

  private var lines: LineRenderer
  private let options: LineRenderer.Options
  private let style: Style
  private let width: Int
  /// Open conversations of logs, whose records are lines.
  private var logs: Set<UInt32> = []
  private let layout = Cell(OutlineText.Layout())
  /// The names of values of the message that is reported.
  private var namings = ContiguousArray<NamedValue>()

  public init(_ options: LineRenderer.Options) {
    self.options = options
    lines = LineRenderer(options)
    style = Style(isColored: options.isColored)
    width = max(options.width ?? Self.usualWidth, Self.leastWidth)
  }

  public var wishes: Detail.Wishes {
    var wishes: Detail.Wishes = [.details, .sent]
    if options.showsTree { wishes.insert(.outline) }
    if options.showsFrames { wishes.insert(.frames) }
    return wishes
  }

  public mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    lines.opened(opening, connection: connection, delivery, into: &text)
    if !opening.provenance.writer.isEmpty { logs.insert(connection) }
    if options.isQuiet || !options.showsFrames { return }
    for line in opening.heads {
      text.append(spaces: OutlineText.indent)
      text.append(escaping: line.span.bytes)
      text.append("\n")
    }
  }

  public mutating func context(_ words: RawSpan, _ line: ContextLine, into text: inout TextBuffer) {
    lines.context(words, line, into: &text)
  }

  public mutating func begins(at time: Instant) { lines.begins(at: time) }

  public mutating func nextMayMatch() { lines.nextMayMatch() }

  public mutating func named(_ namings: ContiguousArray<NamedValue>) {
    self.namings = namings
    lines.named(namings)
  }

  public mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    lines.message(message, view, into: &text)
  }

  public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    lines.finding(finding, connection: connection, messages: messages, into: &text)
  }

  public mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    lines.closed(closing, connection: connection, delivery, into: &text)
    logs.remove(connection)
  }

  public mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    lines.summary(summary, into: &text)
  }

  public mutating func detail(
    _ detail: Detail, _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) {
    defer { namings.removeAll() }
    if message.traits.contains(.isControl), !options.showsAll, !view.isPasted { return }
    if options.showsTree {
      let outline = OutlineText(message, view, namings: namings, style: style, width: width)
      facts(detail, message, view, outline, &text)
      if let framing = detail.framing { append(framing, of: message, &text) }
      outline.append(
        detail.rows.span, view.bytes, subject: view.subject, &layout.value, to: &text)
    }
    if options.showsOctets { octets(detail, message, view, &text) }
  }

  private func octets(
    _ detail: Detail, _ message: Message, _ view: MessageView, _ text: inout TextBuffer
  ) {
    if detail.isMasked {
      text.append(spaces: OutlineText.indent)
      style.begin(.dim, &text)
      text.append(
        isWithheld(detail, message)
          ? "bytes withheld: they may hold credentials; --show-secrets shows them"
          : detail.sent == nil
            ? "bytes with tokens in place of credentials:"
            : "bytes of the JSON text, with tokens in place of credentials:")
      style.end(&text)
      text.append("\n")
      if isWithheld(detail, message) { return }
    } else if let sent = detail.sent {
      HexDump.append(sent.octets.span.bytes, indent: OutlineText.indent, to: &text)
      if sent.withheld > 0 { withheld(sent.withheld, isAll: sent.octets.isEmpty, &text) }
      return
    }
    HexDump.append(view.bytes, indent: OutlineText.indent, to: &text)
  }

  private func withheld(_ count: Int, isAll: Bool, _ text: inout TextBuffer) {
    text.append(spaces: OutlineText.indent)
    style.begin(.dim, &text)
    text.append(decimal: count)
    text.append(count == 1 ? " byte " : " bytes ")
    text.append(isAll ? "withheld" : "behind it withheld")
    text.append(": may hold credentials; --show-secrets shows them")
    style.end(&text)
    text.append("\n")
  }

  /// Nothing of the message is shown: a text stands for it.
  private func isWithheld(_ detail: Detail, _ message: Message) -> Bool {
    detail.isMasked && !message.traits.isDisjoint(with: [.isUnclaimed, .isControl])
  }

  /// `message 4 · packet 17 · 35 bytes`, of a log `message 4 · line 17 · 35 bytes`
  private func facts(
    _ detail: Detail, _ message: Message, _ view: MessageView, _ outline: OutlineText,
    _ text: inout TextBuffer
  ) {
    text.append(spaces: OutlineText.indent)
    style.begin(.dim, &text)
    text.append("message ")
    text.append(decimal: view.joined.index)
    if message.origin.record > 0 {
      // What was pasted is of no connection.
      let isLine = view.joined.connection == 0 || logs.contains(view.joined.connection)
      if message.origin.isLine {
        text.append(" · ")
        options.append(place: message.origin, to: &text)
      } else {
        text.append(isLine ? " · line " : " · packet ")
        text.append(decimal: message.origin.record)
      }
    }
    text.append(" · ")
    if detail.isMasked {
      text.append(
        isWithheld(detail, message) ? "withheld" : "tokens in place of credentials")
    } else if message.traits.contains(.isNarrated) {
      text.append("as the log describes it")
    } else if !view.joined.isSizeKnown {
      text.append("size not known")
    } else {
      let size = detail.sent.map { $0.octets.count + $0.withheld } ?? Int(view.joined.size)
      text.append(grouped: UInt64(size))
      text.append(size == 1 ? " byte" : " bytes")
    }
    if let sent = detail.sent {
      text.append(" · ")
      text.append(sent.serializer)
    }
    // Where no element says so.
    if view.joined.answers > 0 && !isAnswerReported(detail, message) {
      text.append(" · ")
      outline.appendAnswer(&text)
    }
    if view.joined.carries > 0 {
      text.append(" · carries message ")
      text.append(decimal: view.joined.carries)
      if message.third.role == .delivers { text.append(", inferred") }
    }
    style.end(&text)
    text.append("\n")
  }

  /// Whether a row says which message is answered.
  private func isAnswerReported(_ detail: Detail, _ message: Message) -> Bool {
    detail.rows.contains { row in
      guard row.link > 0 else { return false }
      let role = message.link(Int(row.link) - 1).role
      return role == .answers || role == .continues
    }
  }

  /// `frame TEXT, FIN, masked with 37fa213d, 41 bytes on the wire`
  private func append(_ framing: Framing, of message: Message, _ text: inout TextBuffer) {
    let begin = text.count
    text.append(spaces: OutlineText.indent)
    style.begin(.dim, &text)
    if framing.frames == 1 {
      text.append("frame ")
    } else {
      text.append(grouped: UInt64(framing.frames))
      text.append(" frames ")
    }
    if framing.carrier == .rawSocket {
      text.append("of type ")
      text.append(decimal: UInt64(framing.opcode))
    } else {
      webSocket(framing, &text)
    }
    text.append(" · ")
    text.append(grouped: UInt64(framing.wireBytes))
    text.append(" bytes on the wire")
    if framing.firstRecord > 0 && framing.firstRecord != message.origin.record {
      text.append(" · from packet ")
      text.append(decimal: framing.firstRecord)
    }
    style.end(&text)
    if let width = options.width { TextLayout.wrap(&text, from: begin, to: width, indent: 6) }
    text.append("\n")
  }

  /// What the headers of WebSocket frames say.
  private func webSocket(_ framing: Framing, _ text: inout TextBuffer) {
    text.append(Self.name(Opcode(rawValue: framing.opcode)))
    if framing.isFinal {
      text.append(framing.frames == 1 ? " · FIN" : " · FIN on the last")
    } else {
      text.append(" · no FIN")
    }
    if framing.isCompressed { text.append(" · RSV1 (compressed)") }
    if framing.isMasked {
      text.append(framing.frames == 1 ? " · masked with " : " · masked, the last with ")
      for shift in stride(from: 0, to: 32, by: 8) {
        text.append(hex: UInt8(truncatingIfNeeded: framing.key >> UInt32(shift)))
      }
    } else {
      text.append(" · not masked")
    }
  }

  private static func name(_ opcode: Opcode) -> StaticString {
    switch opcode {
    case .continuation: "continuation"
    case .text: "TEXT"
    case .binary: "BINARY"
    case .close: "CLOSE"
    case .ping: "PING"
    case .pong: "PONG"
    default: "of a reserved opcode"
    }
  }
}
