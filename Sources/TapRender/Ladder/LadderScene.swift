// SPDX-License-Identifier: Apache-2.0

/// What of a page is drawn: its rows, who takes part in them, and the numbers of the exchanges.
struct LadderScene {
  /// Rows between which one column is drawn.
  struct Life {
    var first: Int
    var last: Int
    var rows = 1
  }

  /// Places of the rows that are drawn.
  private(set) var rows: [Int] = []
  private(set) var lives: [UInt32: Life] = [:]
  /// Connections by server, in order.
  private(set) var clients: [[(connection: UInt32, rows: Int)]] = []
  /// Some rows belong to their exchange only by what they say.
  private(set) var hasInferred = false

  /// - Parameter last: the number that an exchange was given last.
  init(_ page: inout LadderPage, last: inout Int) {
    rows = page.rows.indices.filter { page.isDrawn(page.rows[$0]) }
    for number in rows where page.rows[number].kind == .message {
      let row = page.rows[number]
      page.exchanges[row.exchange].drawn += 1
      if lives[row.connection] == nil {
        lives[row.connection] = Life(first: number, last: number)
      } else {
        lives[row.connection]!.last = number
        lives[row.connection]!.rows += 1
      }
    }
    // A message alone is in no exchange that anybody could see.
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
    for (connection, life) in lives.sorted(by: { $0.key < $1.key }) {
      clients[page.peers[connection]?.server ?? 0].append((connection, life.rows))
    }
  }
}
