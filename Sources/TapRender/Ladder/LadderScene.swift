// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What of a page is drawn: its rows, who takes part in them, and the numbers of the exchanges.
struct LadderScene {
  /// Places of the rows that are drawn.
  private(set) var rows: [Int] = []
  /// Messages of each connection that has any.
  private(set) var messages: [UInt32: Int] = [:]
  /// Connections by server, in order.
  private(set) var clients: [[(connection: UInt32, rows: Int)]] = []
  /// Some rows were joined to their exchange by subject and payload.
  private(set) var hasInferred = false

  /// - Parameter last: the number of the last exchange that has one; raised for each new one.
  init(_ page: inout LadderPage, last: inout Int) {
    rows = page.rows.indices.filter { page.isDrawn(page.rows[$0]) }
    var counts = IDTable<Int>()
    for number in rows where page.rows[number].kind == .message {
      page.exchanges[page.rows[number].exchange].drawn += 1
      let connection = WideKey(0, UInt64(page.rows[number].connection))
      counts[connection] = (counts[connection] ?? 0) + 1
    }
    counts.forEach { messages[UInt32(truncatingIfNeeded: $0.low)] = $1 }
    if page.narrowing.choosesExchanges {
      // What else is said of a connection stands below messages of it.
      rows.removeAll { number in
        let row = page.rows[number]
        return row.kind != .message && row.connection > 0 && messages[row.connection] == nil
          && page.peers[row.connection]?.isReported != true
      }
    }
    // An exchange of which one message is drawn gets no number: there is nothing to join.
    for number in rows where page.rows[number].kind == .message {
      let row = page.rows[number]
      var exchange = page.exchanges[row.exchange]
      if exchange.drawn < 2 { continue }
      if row.isInferred { hasInferred = true }
      if exchange.number > 0 { continue }
      last += 1
      exchange.number = last
      page.exchanges[row.exchange] = exchange
    }
    clients = Array(repeating: [], count: max(page.servers.count, 1))
    for (connection, count) in messages.sorted(by: { $0.key < $1.key }) {
      clients[page.peers[connection]?.server ?? 0].append((connection, count))
    }
  }
}
