// SPDX-License-Identifier: Apache-2.0
@testable import TapInspector
import Testing

/// Tables that forget what was used longest ago.
@Suite("Recency") struct RecencyTableTests {
  /// Counts how often keys are looked at: the work of a table, whatever the machine.
  private final class Looks { var count = 0 }

  private struct Key: Hashable {
    let number: Int
    let looks: Looks

    static func == (one: Self, other: Self) -> Bool {
      one.looks.count += 1
      return one.number == other.number
    }

    func hash(into hasher: inout Hasher) {
      looks.count += 1
      hasher.combine(number)
    }
  }

  @Test func order() {
    var table = RecencyTable<Int, String>(most: 3)
    for number in 1...3 { _ = table.insert("\(number)", for: number) }
    #expect(table.isFull && table.oldest.map { table[$0] } == "1")
    table.touch(table.place(of: 1)!)
    #expect(table.oldest.map { table.key(at: $0) } == 2)
    table.pin(table.place(of: 2)!)
    table.pin(table.place(of: 2)!)
    #expect(table.oldest.map { table.key(at: $0) } == 3)
    table.remove(table.place(of: 3)!)
    #expect(!table.isFull && table.place(of: 3) == nil)
    let place = table.insert("4", for: 4)
    #expect(table[place] == "4" && table.isFull)
    table.loosen(table.place(of: 2)!)
    var left: [Int] = []
    while let oldest = table.oldest {
      left.append(table.key(at: oldest))
      table.remove(oldest)
    }
    #expect(left == [1, 4, 2] && !table.isFull)
  }

  @Test("all pinned: none is forgotten") func pinned() {
    var table = RecencyTable<Int, Int>(most: 4)
    for number in 0..<4 { table.pin(table.insert(number, for: number)) }
    #expect(table.isFull && table.oldest == nil)
    table.touch(2)
    #expect(table.oldest == nil)
    table.remove(1)
    #expect(table.place(of: 1) == nil && table.oldest == nil && !table.isFull)
  }

  /// Ten times as many keys in ten times as much room are ten times the work.
  @Test("work") func work() {
    func looks(_ room: Int) -> Int {
      let looks = Looks()
      var table = RecencyTable<Key, Int>(most: room)
      for number in 0..<10 * room {
        let key = Key(number: number, looks: looks)
        if table.place(of: key) != nil { continue }
        if table.isFull, let oldest = table.oldest { table.remove(oldest) }
        let place = table.insert(number, for: key)
        // Some stay in use for good.
        if number % 20 == 0 { table.pin(place) }
      }
      return looks.count
    }
    // Removing from a hash table looks at neighbours, too; how many depends on chance.
    for room in [100, 1000, 10_000] {
      let each = looks(room) / (10 * room)
      #expect(each > 0 && each < 40, "\(each) of \(room)")
    }
  }
}
