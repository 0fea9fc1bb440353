// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Draws pages as text: time, number of the exchange, and a column for each peer.
struct LadderPicture: LadderForm {
  /// Where no terminal says how wide it is.
  private static let usualWidth = 100
  private static let leastWidth = 40
  /// From so many nanoseconds without a message on, the pause is shown.
  private static let pause: Int64 = 1_000_000_000

  private let options: LineRenderer.Options
  private let width: Int
  private let style: Style
  private var since = TimeSinceStart()
  private var times: TimeColumn
  /// The layout of the page before: if heads stay the same, they are not written again.
  private var layout: LadderLayout?
  /// The number of the last exchange that has one.
  private var lastNumber = 0
  private var lastTime = Instant.unknown
  private var hasInferred = false
  private var sharing = 0

  init(_ options: LineRenderer.Options) {
    self.options = options
    width = max(options.width ?? Self.usualWidth, Self.leastWidth)
    style = Style(isColored: options.isColored)
    times = TimeColumn(options.time, zone: options.zone)
  }

  mutating func draw(_ page: inout LadderPage, into text: inout TextBuffer) {
    let scene = LadderScene(&page, last: &lastNumber)
    if scene.rows.isEmpty { return }
    hasInferred = hasInferred || scene.hasInferred
    // Times are written first, as the ladder begins behind the widest of them.
    since.begin(at: page.start)
    var clock = TextBuffer(capacity: 1 << 12)
    var ends: [Int] = []
    var timeColumns = 0
    for number in scene.rows {
      let start = clock.count
      time(page.rows[number], &clock)
      timeColumns = max(timeColumns, clock.count - start)
      ends.append(clock.count)
    }
    let numberColumns = numberColumns(page, scene)
    var line = LadderLine(
      page: page, style: style, width: width, time: timeColumns, number: numberColumns)
    line.layOut(scene)
    let begin = text.count
    titles(scene, line.layout, &page, &text)
    if line.layout != layout {
      if text.count > begin || layout != nil { text.append("\n") }
      line.appendHeads(to: &text)
      layout = line.layout
      sharing = max(sharing, line.layout.sharing.count)
    }
    var start = 0
    for (place, number) in scene.rows.enumerated() {
      let row = page.rows[number]
      if row.time.isKnown {
        if lastTime.isKnown {
          let (passed, isTooLong) = row.time.nanoseconds.subtractingReportingOverflow(
            lastTime.nanoseconds)
          if passed >= Self.pause && !isTooLong {
            line.append(pause: passed, before: number, to: &text)
          }
        }
        lastTime = row.time
      }
      line.append(
        number, time: clock.bytes.extracting(start..<ends[place]), options.inputs, to: &text)
      start = ends[place]
    }
  }

  func end(_ summary: Summary, isMissed: Bool, into text: inout TextBuffer) {
    if isMissed { text.append("nothing that was read matches\n") }
    if options.isQuiet { return }
    if sharing > 0 {
      remark(
        "+\(sharing): that many connections share the last column, as there is no room for"
          + " more; --session, --subject or --width makes some", &text)
    }
    if hasInferred {
      remark("~ is in this exchange by its subject and payload, not by an id", &text)
    }
    if !summary.isWorthALine { return }
    SummaryLine.appendLine(summary, width: options.width, style, to: &text)
  }

  private func remark(_ words: String, _ text: inout TextBuffer) {
    let start = text.count
    text.append(words)
    if let width = options.width { TextLayout.wrap(&text, from: start, to: width, indent: 4) }
    text.append("\n")
  }

  private func numberColumns(_ page: LadderPage, _ scene: LadderScene) -> Int {
    let first = scene.rows.contains {
      page.rows[$0].exchange >= 0 && page.exchanges[page.rows[$0].exchange].number > 0
    }
    if !first { return 0 }
    return "\(lastNumber)".count + (scene.hasInferred ? 1 : 0)
  }

  private mutating func time(_ row: LadderRow, _ clock: inout TextBuffer) {
    guard row.time.isKnown else { return }
    if options.time == .relative {
      since.append(row.time, row.precision, to: &clock)
    } else {
      let isLocal = row.isLocal && options.inputs.isEmpty
      times.append(row.time, row.precision, isLocal: isLocal, of: row.origin, to: &clock)
    }
  }

  /// A line for each connection that has a column of its own and was not reported yet.
  private func titles(
    _ scene: LadderScene, _ layout: LadderLayout, _ page: inout LadderPage,
    _ text: inout TextBuffer
  ) {
    if options.isQuiet { return }
    for client in scene.clients.joined().sorted(by: { $0.connection < $1.connection })
    where !layout.sharing.contains(client.connection) {
      guard let peer = page.peers[client.connection], !peer.isReported else { continue }
      page.report(client.connection)
      let begin = text.count
      text.append(peer.title.span.bytes)
      for session in peer.sessions.prefix(3) {
        text.append("  session ")
        text.append(decimal: session.id)
        if session.authid.isEmpty { continue }
        text.append(" ")
        text.append(session.authid.span.bytes)
      }
      if peer.sessions.count > 3 {
        text.append("  and \(peer.sessions.count - 3) more sessions")
      }
      TextLayout.wrap(&text, from: begin, to: width, indent: 4)
      text.append("\n")
    }
  }
}
