// SPDX-License-Identifier: Apache-2.0

/// Single exchanges that are listed one by one: the slowest, or the first that failed.
struct ExchangeList {
  /// Of the slowest, the slowest first; of the failed, in their order.
  private(set) var rows: [SingleExchange] = []
  /// Those that could have been listed.
  private(set) var candidates: UInt64 = 0
  /// 0 where the list was not asked for.
  let most: Int

  init(most: Int) { self.most = most }

  /// Whether an exchange of this latency, in nanoseconds, is among the slowest so far.
  mutating func wants(latency: Int64) -> Bool {
    if most == 0 || latency < 0 { return false }
    candidates += 1
    return rows.count < most || latency > rows[rows.count - 1].latency
  }

  /// Keeps the slowest; of those that took as long, the earlier.
  mutating func keep(bySlowness exchange: SingleExchange) {
    var place = rows.count
    while place > 0 && rows[place - 1].latency < exchange.latency { place -= 1 }
    if rows.count == most { rows.removeLast() }
    rows.insert(exchange, at: place)
  }

  /// Whether one more that failed has room.
  mutating func wantsFailure() -> Bool {
    if most == 0 { return false }
    candidates += 1
    return rows.count < most
  }

  mutating func append(_ exchange: SingleExchange) { rows.append(exchange) }
}
