// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TapRender
import TapTraffic

/// Which exchanges are listed one by one.
@Suite("Lists of single exchanges") struct ExchangeListTests {
  private func exchange(_ latency: Int64, _ index: UInt64) -> SingleExchange {
    var one = SingleExchange(answered: SingleExchange.MessageSource(Origin(), index: index))
    one.latency = latency
    return one
  }

  @Test("the slowest come first, and of equal ones the earlier") func slowest() {
    var list = ExchangeList(most: 3)
    for (index, latency) in [5, 9, 1, 9, 7, -1, 2].enumerated()
    where list.wants(latency: Int64(latency)) {
      list.keep(bySlowness: exchange(Int64(latency), UInt64(index)))
    }
    #expect(list.rows.map(\.latency) == [9, 9, 7])
    #expect(list.rows.map(\.answered.index) == [1, 3, 4])
    #expect(list.candidates == 6)
  }

  @Test("failures stay in their order, and those beyond are counted") func failed() {
    var list = ExchangeList(most: 2)
    for index in 1...4 where list.wantsFailure() { list.append(exchange(0, UInt64(index))) }
    #expect(list.rows.map(\.answered.index) == [1, 2])
    #expect(list.candidates == 4)
  }

  @Test("nothing is kept that was not asked for") func none() {
    var list = ExchangeList(most: 0)
    let wanted = [list.wants(latency: 5), list.wantsFailure()]
    #expect(wanted == [false, false])
    #expect(list.candidates == 0)
  }
}
