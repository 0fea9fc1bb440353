// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import Testing

@Suite struct OctetPairsTests {
  /// `ab` and `cb`, LF before anything, and more than there is room for.
  private static let few = [["ab", "cb"], ["\nx", "\n\u{1}", "\n~"]]
  private static let many = (0..<24).map { number in
    ["\(Character(UnicodeScalar(0x30 + UInt8(number) * 3)))\(number % 10)"]
  }

  private static func pairs(_ texts: [[String]]) -> OctetPairs {
    OctetPairs(
      texts.map { texts in
        var kind = OctetPairs.Kind()
        for text in texts {
          kind.insert(first: text.utf8.first!)
          kind.insert(second: text.utf8.last!)
        }
        return kind
      })
  }

  /// Every length, so that all ways to read the end of a text are gone.
  @Test(arguments: [few, many])
  func missesNothing(texts: [[String]]) {
    let pairs = Self.pairs(texts)
    let alphabet = Array(Set(texts.joined().joined().utf8)).sorted() + [0x20, 0xC3]
    let wanted = Set(texts.joined().map { Array($0.utf8) })
    let firsts = Set(wanted.map { $0[0] })
    var random = Seeded(11)
    var places: ContiguousArray<UInt64> = []
    for length in 0...300 {
      let text = (0..<length).map { _ in alphabet.randomElement(using: &random)! }
      pairs.find(in: text.span.bytes, places: &places)
      #expect(places.count == (length + 63) / 64)
      for at in text.indices {
        let isFound = places[at / 64] >> UInt64(at % 64) & 1 == 1
        let isLast = at == length - 1
        if isLast ? firsts.contains(text[at]) : wanted.contains(Array(text[at...at + 1])) {
          #expect(isFound, "\(text[at...]) at \(at) of \(length)")
        }
        if text[at] == 0x20 || text[at] == 0xC3 { #expect(!isFound) }
      }
      for at in stride(from: 0, through: length, by: 7) {
        let found = pairs.places(in: text.span.bytes, from: at)
        var expected: UInt64 = 0
        for place in at..<min(length, at + 64) {
          expected |= (places[place / 64] >> UInt64(place % 64) & 1) << UInt64(place - at)
        }
        #expect(found == expected, "from \(at) of \(length)")
      }
    }
  }

  /// What has a half of one kind and the other half of another is none.
  @Test func tellsKindsApart() {
    let pairs = Self.pairs([["ab"], ["cd"]])
    let text = Array("ad cb ab cd".utf8)
    #expect(pairs.places(in: text.span.bytes, from: 0) == 0b10_0100_0000)
  }
}
