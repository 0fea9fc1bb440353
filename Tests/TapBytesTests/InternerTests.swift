// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import Testing

@Suite struct InternerTests {
  @Test func numbersFromOneInOrder() {
    var interner = Interner(maximumBytes: 1 << 20)
    #expect(number(of: "", &interner) == 0)
    for index in 1...500 { #expect(number(of: "subject.\(index)", &interner) == Int32(index)) }
    for index in 1...500 { #expect(number(of: "subject.\(index)", &interner) == Int32(index)) }
    #expect(interner.count == 500)
    #expect(interner.refused == 0)
    #expect(interner[0].copied() == [])
    for index in 1...500 {
      #expect(interner[Int32(index)].copied() == Array("subject.\(index)".utf8))
    }
  }

  @Test func distinguishesByEveryByte() {
    var interner = Interner(maximumBytes: 1 << 20)
    var random = Seeded(3)
    var oracle: [[UInt8]: Int32] = [:]
    for _ in 0..<3000 {
      let count = Int.random(in: 1...20, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...1, using: &random) }
      let number = interner.number(of: bytes.span.bytes)
      #expect(oracle[bytes] == nil || oracle[bytes] == number)
      oracle[bytes] = number
    }
    #expect(Set(oracle.values).count == oracle.count)
    #expect(interner.count == oracle.count)
  }

  @Test func refusesBeyondItsBound() {
    var interner = Interner(maximumBytes: 10)
    #expect(number(of: "12345", &interner) == 1)
    #expect(number(of: "123456", &interner) == 0)
    #expect(interner.refused == 1)
    // Exactly full is allowed, and what is known stays known.
    #expect(number(of: "abcde", &interner) == 2)
    #expect(number(of: "x", &interner) == 0)
    #expect(interner.refused == 2)
    #expect(number(of: "12345", &interner) == 1)
    #expect(number(of: "", &interner) == 0)
    #expect(interner.refused == 2 && interner.count == 2)
  }

  private func number(of text: String, _ interner: inout Interner) -> Int32 {
    let bytes = Array(text.utf8)
    return interner.number(of: bytes.span.bytes)
  }
}
