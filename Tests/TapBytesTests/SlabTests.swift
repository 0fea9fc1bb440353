// SPDX-License-Identifier: Apache-2.0
import TapBytes
import Testing

@Suite struct SlabTests {
  private final class Counted {
    nonisolated(unsafe) static var count = 0
    init() { Self.count += 1 }
    deinit { Self.count -= 1 }
  }

  private struct Holder {
    @Apart var value: [Int]?
  }

  @Test func valuesAreChangedInTheirPlaces() {
    var slab = Slab<[Int]>()
    for number in 0..<1000 { slab.append([number]) }
    for number in slab.indices where number % 3 == 0 { slab[number].append(-number) }
    #expect(slab.count == 1000)
    let isRight = slab.indices.allSatisfy {
      slab[$0] == ($0 % 3 == 0 ? [$0, -$0] : [$0])
    }
    #expect(isRight)
  }

  @Test func allIsGivenBack() {
    for count in [0, 1, 16, 17, 64, 100] {
      var slab = Slab<Counted>()
      for _ in 0..<count { slab.append(Counted()) }
      #expect(Counted.count == count)
      slab = Slab()
      #expect(Counted.count == 0)
    }
  }

  @Test func whatIsSeldomThereStandsApart() {
    var holder = Holder()
    #expect(MemoryLayout<Holder>.size == MemoryLayout<Int>.size)
    #expect(holder.value == nil)
    holder.value = nil
    #expect(holder.value == nil)
    holder.value = [1]
    holder.value!.append(2)
    holder.value?.append(3)
    #expect(holder.value == [1, 2, 3])
    holder.value = nil
    holder.value?.append(4)
    #expect(holder.value == nil)
  }
}
