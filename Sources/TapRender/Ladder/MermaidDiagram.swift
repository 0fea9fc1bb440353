// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Writes pages as statements of a sequence diagram. Text is escaped for Mermaid on top of what is
/// escaped for terminals.
struct MermaidDiagram: LadderForm {
  /// Columns of a label; longer ones are unreadable in a picture.
  private static let widest = 72
  private static let pause: Int64 = 1_000_000_000

  private let options: LineRenderer.Options
  private var hasBegun = false
  private var hasInferred = false
  private var lastNumber = 0
  private var lastTime = Instant.unknown

  init(_ options: LineRenderer.Options) { self.options = options }

  private mutating func begin(_ text: inout TextBuffer) {
    if !hasBegun { text.append("sequenceDiagram\n") }
    hasBegun = true
  }

  mutating func draw(_ page: inout LadderPage, into text: inout TextBuffer) {
    let scene = LadderScene(&page, last: &lastNumber)
    if scene.rows.isEmpty { return }
    hasInferred = hasInferred || scene.hasInferred
    begin(&text)
    participants(scene, &page, &text)
    for number in scene.rows {
      let row = page.rows[number]
      pause(before: row, page, &text)
      if row.kind == .message { arrow(row, page, &text) } else { note(row, scene, page, &text) }
    }
  }

  mutating func end(_ summary: Summary, isMissed: Bool, into text: inout TextBuffer) {
    if isMissed {
      begin(&text)
      text.append("  %% nothing that was read matches\n")
    }
    if options.isQuiet || !hasBegun { return }
    if hasInferred {
      text.append("  %% ~ is in this exchange by its subject and payload, not by an id\n")
    }
    if !summary.isWorthALine { return }
    text.append("  %% ")
    SummaryLine.append(summary, to: &text)
    text.append("\n")
  }

  /// Each server between its clients, as the ladder has them. Who was introduced is not introduced
  /// again.
  private mutating func participants(
    _ scene: LadderScene, _ page: inout LadderPage, _ text: inout TextBuffer
  ) {
    for (server, clients) in scene.clients.enumerated() where !clients.isEmpty {
      let left = (clients.count + 1) / 2
      for client in clients[..<left] { participant(client.connection, &page, &text) }
      if page.report(server: server) {
        var name = TextBuffer(capacity: 64)
        name.append("server")
        let address = server < page.servers.count ? page.servers[server] : []
        if !address.isEmpty { name.append(" ") }
        name.append(address.span.bytes)
        text.append("  participant s\(server) as ")
        Self.append(name.bytes, to: &text)
        text.append("\n")
      }
      for client in clients[left...] { participant(client.connection, &page, &text) }
    }
  }

  private func participant(
    _ connection: UInt32, _ page: inout LadderPage, _ text: inout TextBuffer
  ) {
    let peer = page.peers[connection]
    if peer?.isReported == true { return }
    page.report(connection)
    var name = TextBuffer(capacity: 64)
    name.append(connection == 0 ? "client" : "#\(connection)")
    if let peer {
      if !peer.address.isEmpty { name.append(" ") }
      name.append(peer.address.span.bytes)
      if let session = peer.sessions.first {
        name.append(" · session \(session.id)")
      }
    }
    text.append("  participant c\(connection) as ")
    Self.append(name.bytes, to: &text)
    text.append("\n")
  }

  private func arrow(_ row: LadderRow, _ page: LadderPage, _ text: inout TextBuffer) {
    let client = "c\(row.connection)"
    let server = "s\(page.peers[row.connection]?.server ?? 0)"
    text.append("  ")
    text.append(row.direction == .toClient ? server : client)
    switch (row.direction, row.isReply, row.isFailure) {
    case (.unknown, true, _): text.append("-->")
    case (.unknown, false, _): text.append("->")
    case (_, true, true): text.append("--x")
    case (_, false, true): text.append("-x")
    case (_, true, false): text.append("-->>")
    case (_, false, false): text.append("->>")
    }
    text.append(row.direction == .toClient ? client : server)
    text.append(": ")
    var label = TextBuffer(capacity: 256)
    LadderText.append(row, of: page, room: Self.widest, to: &label)
    Self.append(label.bytes, to: &text)
    if row.latency >= 0 {
      text.append(" · ")
      var latency = TextBuffer(capacity: 64)
      Latency.append(row.latency, row.latencyPrecision, to: &latency)
      Self.append(latency.bytes, to: &text)
    }
    let number = page.exchanges[row.exchange].number
    if number > 0 { text.append(row.isInferred ? " (~\(number))" : " (\(number))") }
    text.append("\n")
  }

  private func note(
    _ row: LadderRow, _ scene: LadderScene, _ page: LadderPage, _ text: inout TextBuffer
  ) {
    var words = TextBuffer(capacity: 256)
    if row.kind == .finding {
      words.append("! ")
      if row.connection > 0 { words.append("#\(row.connection) ") }
      words.append(page.store.bytes[row.brief.range])
      words.append(": ")
      if row.connection == 0 && row.input < options.inputs.count {
        words.append(escaping: options.inputs[row.input])
        words.append(": ")
      }
    }
    words.append(page.store.bytes[row.head.range])
    // A note stands over a participant; without one, it can only be a comment.
    if scene.messages[row.connection] != nil {
      text.append("  Note over c\(row.connection): ")
    } else if let first = scene.clients.joined().first {
      text.append("  Note over c\(first.connection): ")
    } else {
      text.append("  %% ")
    }
    Self.append(words.bytes, to: &text)
    text.append("\n")
  }

  private mutating func pause(
    before row: LadderRow, _ page: LadderPage, _ text: inout TextBuffer
  ) {
    guard row.time.isKnown else { return }
    defer { lastTime = row.time }
    guard lastTime.isKnown, row.kind == .message else { return }
    let (passed, isTooLong) = row.time.nanoseconds.subtractingReportingOverflow(
      lastTime.nanoseconds)
    if isTooLong || passed < Self.pause { return }
    text.append(
      "  Note over c\(row.connection),s\(page.peers[row.connection]?.server ?? 0): ")
    Latency.append(passed, 9, to: &text)
    text.append(" later\n")
  }

  /// Text that Mermaid only shows: what ends a statement, begins a comment, a directive or markup,
  /// or stands for a character is written as a number. So is the first letter of the two words by
  /// which Mermaid finds style sheets, whose last semicolon it drops.
  static func append(_ bytes: RawSpan, to text: inout TextBuffer) {
    for at in 0..<bytes.byteCount {
      let byte = bytes.byte(at: at)
      let rest = bytes.dropping(at)
      switch byte {
      case 0x22, 0x23, 0x24, 0x25, 0x26, 0x3B, 0x3C, 0x3E, 0x5C, 0x60: break
      case UInt8(ascii: "s") where rest.starts(with: "style"),
        UInt8(ascii: "c") where rest.starts(with: "classDef"):
        break
      default:
        text.append(byte: byte)
        continue
      }
      text.append("#")
      text.append(decimal: UInt64(byte))
      text.append(";")
    }
  }
}
