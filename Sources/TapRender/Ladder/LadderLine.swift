// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Draws the lines of one page, when its columns are known.
struct LadderLine {
  let page: LadderPage
  let style: Style
  let width: Int
  /// Columns of the time and of the number of the exchange.
  let time: Int
  let number: Int
  private var bars: LadderBars
  private(set) var layout = LadderLayout(
    clients: [], LadderLayout.Room(width: 0, margin: 0, label: 0))

  init(page: LadderPage, style: Style, width: Int, time: Int, number: Int) {
    (self.page, self.style, self.width) = (page, style, width)
    (self.time, self.number) = (time, number)
    bars = LadderBars(lives: [], gap: 0, style: style)
  }

  /// Columns before the ladder.
  private var margin: Int {
    (time > 0 ? time + 2 : 0) + (number > 0 ? number + 1 : 0)
  }

  mutating func layOut(_ scene: LadderScene) {
    var widest = 0
    for number in scene.rows where page.rows[number].kind == .message {
      let latency = page.rows[number].latencyColumns
      // The tip, dashes on both sides, and spaces between.
      let columns =
        LadderText.columns(page.rows[number], of: page) + (latency > 0 ? latency + 4 : 0) + 6
      widest = max(widest, columns)
    }
    for peer in page.peers.values { widest = max(widest, peer.address.count + 8) }
    layout = LadderLayout(
      clients: scene.clients,
      LadderLayout.Room(width: width, margin: margin, label: widest))
    let lives: [Range<Int>] = layout.columns.map { column in
      guard case .client(let connection) = column, let peer = page.peers[connection] else {
        return 0..<Int.max
      }
      return peer.opened..<max(peer.closed ?? .max, peer.opened)
    }
    bars = LadderBars(lives: lives, gap: layout.gap, style: style)
  }

  // MARK: Heads

  func appendHeads(to text: inout TextBuffer) {
    let begin = text.count
    let fits =
      layout.isLabelled && layout.columns.allSatisfy { name($0, isLong: true).count < layout.gap }
    for (place, column) in layout.columns.enumerated() {
      let name = name(column, isLong: fits)
      let centred = margin + place * (layout.gap + 1) - name.count / 2
      let wanted = min(centred, layout.isLabelled ? width - name.count : centred)
      let used = text.count - begin
      text.append(spaces: place == 0 ? max(wanted, 0) : max(wanted - used, 1))
      text.append(name.span.bytes)
    }
    text.append("\n")
  }

  private func name(_ column: LadderLayout.Column, isLong: Bool) -> [UInt8] {
    switch column {
    case .client(0): return Array("client".utf8)
    case .client(let connection):
      let address = isLong ? page.peers[connection]?.address ?? [] : []
      return Array("#\(connection)".utf8) + (address.isEmpty ? [] : [0x20] + address)
    case .server(let server):
      if layout.gap < 5 { return Array("srv".utf8) }
      let name = isLong && server < page.servers.count ? page.servers[server] : []
      if name.isEmpty, let port = port(of: server) { return port }
      return Array("server".utf8) + (name.isEmpty ? [] : [0x20] + name)
    case .others: return Array("+\(layout.sharing.count)".utf8)
    }
  }

  /// Tells servers of one address apart, where there is no room for all of their names; nil when
  /// ports do not.
  private func port(of server: Int) -> [UInt8]? {
    var addresses: Set<ArraySlice<UInt8>> = []
    var drawn = 0
    for column in layout.columns {
      guard case .server(let server) = column else { continue }
      guard server < page.servers.count,
        let colon = page.servers[server].lastIndex(of: UInt8(ascii: ":"))
      else { return nil }
      addresses.insert(page.servers[server][..<colon])
      drawn += 1
    }
    guard drawn > 1, addresses.count == 1 else { return nil }
    let port = page.servers[server][(addresses.first?.endIndex ?? 0)...]
    return port.count > layout.gap ? nil : Array(port)
  }

  // MARK: Rows

  func append(pause: Int64, before row: Int, to text: inout TextBuffer) {
    let begin = text.count
    style.begin(.dim, &text)
    var passed = TextBuffer(capacity: 64)
    passed.append("+")
    Latency.append(pause, 9, to: &passed)
    text.append(spaces: time - passed.count)
    text.append(passed.bytes)
    text.append(spaces: 2 + (number > 0 ? number + 1 : 0))
    for place in layout.columns.indices {
      text.append(bars.isAlive(place, at: row) ? "┊" : " ")
      if place < layout.columns.count - 1 { text.append(spaces: layout.gap) }
    }
    TextLayout.removeTrailingSpaces(&text, from: begin)
    style.end(&text)
    text.append("\n")
  }

  mutating func append(
    _ number: Int, time clock: RawSpan, _ inputs: [String], to text: inout TextBuffer
  ) {
    let row = page.rows[number]
    let begin = text.count
    if time > 0 {
      text.append(spaces: time - clock.byteCount)
      text.append(clock)
      text.append("  ")
    }
    if row.kind != .message { return append(remark: row, from: begin, inputs, &text) }
    append(exchangeOf: row, &text)
    let arrow = LadderArrow(
      client: layout.place(of: row.connection),
      server: layout.place(ofServer: row.server),
      direction: row.direction, isReply: row.isReply)
    if layout.isLabelled {
      append(row, number, arrow, &text)
    } else {
      bars.append(arrow, at: number, to: &text)
      behind(row, &text)
    }
    TextLayout.removeTrailingSpaces(&text, from: begin)
    text.append("\n")
  }

  private func append(exchangeOf row: LadderRow, _ text: inout TextBuffer) {
    if number == 0 { return }
    let exchange = page.exchanges[row.exchange].number
    if exchange == 0 { return text.append(spaces: number + 1) }
    let digits = Digits.count(of: UInt64(exchange))
    text.append(spaces: number - digits - (row.isInferred ? 1 : 0))
    if row.isInferred { text.append("~") }
    text.append(decimal: UInt64(exchange))
    text.append(" ")
  }

  /// All columns, and the arrow with its label.
  private func append(
    _ row: LadderRow, _ number: Int, _ arrow: LadderArrow, _ text: inout TextBuffer
  ) {
    for place in layout.columns.indices {
      bars.append(place, arrow, at: number, to: &text)
      if place == layout.columns.count - 1 { break }
      if place == arrow.labelled {
        labelled(row, arrow, place, &text)
      } else {
        arrow.append(gap: place, layout.gap, to: &text)
      }
    }
  }

  /// The label in its arrow: `◀┄ RESULT 7 [10] ┄┄┄┄┄ 1.89 ms ┄`.
  private func labelled(
    _ row: LadderRow, _ arrow: LadderArrow, _ place: Int, _ text: inout TextBuffer
  ) {
    arrow.appendStart(gap: place, to: &text)
    text.append(" ")
    let latency = row.latencyColumns
    // The start, the end, a dash, and spaces around the label.
    let inner = layout.gap - 6
    // Where the words need the room, the time has to go.
    let least = LadderText.leastColumns(row, of: page)
    let isTimed = latency > 0 && latency + 2 + least <= inner
    let room = isTimed ? inner - latency - 2 : inner
    let used = LadderText.append(row, of: page, room: room, style, to: &text)
    text.append(" ")
    arrow.append(dashes: room - used + 1, to: &text)
    if isTimed {
      text.append(" ")
      LadderText.append(latencyOf: row, style, to: &text)
      text.append(" ")
    }
    arrow.appendEnd(gap: place, to: &text)
  }

  /// The label behind a ladder of short arrows.
  private func behind(_ row: LadderRow, _ text: inout TextBuffer) {
    // All lines have the same columns before it.
    let count = layout.columns.count
    let before = margin + count + max(count - 1, 0) * layout.gap
    let begin = text.count
    text.append("  ")
    if row.connection > 0 {
      text.append("#")
      text.append(decimal: UInt64(row.connection))
      text.append(" ")
    }
    let latency = row.latencyColumns
    var used = before + text.count - begin
    let room = max(width - used - (latency > 0 ? latency + 2 : 0), 8)
    used += LadderText.append(row, of: page, room: room, style, to: &text)
    if latency == 0 { return }
    text.append(spaces: max(width - used - latency, 2))
    LadderText.append(latencyOf: row, style, to: &text)
  }

  /// A finding, or the end of a connection: words instead of an arrow.
  private func append(
    remark row: LadderRow, from begin: Int, _ inputs: [String], _ text: inout TextBuffer
  ) {
    text.append(spaces: number > 0 ? number + 1 : 0)
    let indent = text.bytes.columns(from: begin) + 2
    if row.kind == .finding {
      text.append("! ")
      if row.connection > 0 { text.append("#\(row.connection) ") }
      style.begin(row.isFailure ? .failure : .warning, &text)
      text.append(page.store.bytes[row.brief.range])
      style.end(&text)
      text.append("  ")
      if row.connection == 0 && row.input < inputs.count {
        text.append(escaping: inputs[row.input])
        text.append(": ")
      }
    }
    text.append(page.store.bytes[row.head.range])
    TextLayout.wrap(&text, from: begin, to: width, indent: indent)
    text.append("\n")
  }
}
