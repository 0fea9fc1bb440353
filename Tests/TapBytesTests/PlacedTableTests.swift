// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import Testing

@Suite struct PlacedTableTests {
  /// The same operations on a table and on a dictionary, over few keys so that runs collide.
  @Test(arguments: [(1, 8), (2, 40), (3, 300), (4, 5000)])
  func behavesLikeADictionary(seed: UInt64, keys: UInt64) {
    var random = Seeded(seed)
    var table = PlacedTable<UInt64>()
    var oracle: [WideKey: UInt64] = [:]
    for step in 0..<12_000 as Range<UInt64> {
      let key = self.key(&random, keys)
      let slot = table.slot(of: key)
      #expect(slot.map { table[slot: $0] } == oracle[key])
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        if let slot { table[slot: slot] = step } else { table.insert(step, for: key) }
        oracle[key] = step
      case 5..<7:
        if let slot { table.remove(slot: slot) }
        oracle[key] = nil
      case 7..<9:
        let other = self.key(&random, keys)
        if let slot, oracle[other] == nil {
          table.move(slot: slot, to: other)
          #expect(table.slot(of: other) == slot)
          oracle[other] = oracle.removeValue(forKey: key)
        }
      default:
        if step % 97 == 0 {
          let before = oracle.count
          oracle = oracle.filter { $0.key.low % 3 != 0 }
          let removed = table.removeAll { $0.low % 3 == 0 }
          #expect(removed == before - oracle.count)
        } else if step % 991 == 0 {
          table.removeAll()
          oracle = [:]
        }
      }
      #expect(table.count == oracle.count)
    }
  }

  private func key(_ random: inout Seeded, _ keys: UInt64) -> WideKey {
    WideKey(.random(in: 0..<3, using: &random), .random(in: 0..<keys, using: &random))
  }
}
