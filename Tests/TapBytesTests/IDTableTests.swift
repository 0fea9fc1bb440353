// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import Testing

@Suite struct IDTableTests {
  /// The same operations on a table and on a dictionary, over few keys so that runs collide.
  @Test(arguments: [(1, 8), (2, 40), (3, 300), (4, 5000)])
  func behavesLikeADictionary(seed: UInt64, keys: UInt64) {
    var random = Seeded(seed)
    var table = IDTable<UInt64>()
    var oracle: [WideKey: UInt64] = [:]
    for step in 0..<12_000 as Range<UInt64> {
      let key = WideKey(.random(in: 0..<3, using: &random), .random(in: 0..<keys, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        table[key] = step
        oracle[key] = step
      case 5..<7:
        let removed = table.removeValue(for: key)
        #expect(removed == oracle.removeValue(forKey: key))
      case 7:
        table[key] = nil
        oracle[key] = nil
      case 8: #expect(table[key] == oracle[key])
      default:
        guard step % 97 == 0 else { continue }
        let before = oracle.count
        oracle = oracle.filter { $0.value % 3 != 0 }
        let removed = table.removeAll { $1 % 3 == 0 }
        #expect(removed == before - oracle.count)
      }
      #expect(table.count == oracle.count)
    }
    #expect(contents(of: table) == oracle)
    for high in 0..<3 as Range<UInt64> {
      for low in 0..<keys { #expect(table[WideKey(high, low)] == oracle[WideKey(high, low)]) }
    }
  }

  @Test func growsAndEmpties() {
    var table = IDTable<Int>(minimumCapacity: 1)
    for key in 0..<10_000 { table[WideKey(7, UInt64(key) << 32)] = key }
    #expect(table.count == 10_000)
    for key in 0..<10_000 { #expect(table[WideKey(7, UInt64(key) << 32)] == key) }
    #expect(table[WideKey(8, 0)] == nil)
    let removed = table.removeAll { key, value in key.low >> 32 == UInt64(value) }
    #expect(removed == 10_000)
    #expect(table.count == 0)
    #expect(contents(of: table).isEmpty)
  }

  @Test func bothHalvesOfTheKeyCount() {
    var table = IDTable<Int>()
    table[WideKey(1, 2)] = 12
    table[WideKey(2, 1)] = 21
    table[WideKey(0, 0)] = 0
    table[WideKey(.max, .max)] = 99
    #expect(table[WideKey(1, 2)] == 12 && table[WideKey(2, 1)] == 21)
    #expect(table[WideKey(0, 0)] == 0 && table[WideKey(.max, .max)] == 99)
    #expect(table[WideKey(1, 1)] == nil && table.count == 4)
  }

  private func contents(of table: IDTable<UInt64>) -> [WideKey: UInt64] {
    var found: [WideKey: UInt64] = [:]
    table.forEach { key, value in
      #expect(found.updateValue(value, forKey: key) == nil, "\(key) occurs twice")
    }
    return found
  }

  private func contents(of table: IDTable<Int>) -> [WideKey] {
    var found: [WideKey] = []
    table.forEach { key, _ in found.append(key) }
    return found
  }
}
