// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import Testing

@Suite struct OctetTriplesTests {
  /// `abc` and `cbc`, LF before anything, and more than there is room for.
  private static let few = [["abc", "cbc"], ["\nxx", "\n\u{1}y", "\n~\u{7}"]]
  private static let many = (0..<24).map { number in
    ["\(Character(UnicodeScalar(0x30 + UInt8(number) * 3)))\(number % 10)\(number % 7)"]
  }

  private static func triples(_ texts: [[String]]) -> OctetTriples {
    OctetTriples(
      texts.map { texts in
        var kind = OctetTriples.Kind()
        for octets in texts.map({ Array($0.utf8) }) {
          kind.insert(first: octets[0])
          kind.insert(second: octets[1])
          kind.insert(third: octets[2])
        }
        return kind
      })
  }

  /// Every length, so that all ways to read the end of a text are gone.
  @Test(arguments: [few, many])
  func missesNothing(texts: [[String]]) {
    let triples = Self.triples(texts)
    let alphabet = Array(Set(texts.joined().joined().utf8)).sorted() + [0x20, 0xC3]
    let wanted = texts.joined().map { Array($0.utf8) }
    // Behind the end of the text anything may stand.
    let beginnings = (1...3).map { count in Set(wanted.map { Array($0.prefix(count)) }) }
    var random = Seeded(11)
    var places: ContiguousArray<UInt64> = []
    for length in 0...300 {
      let text = (0..<length).map { _ in alphabet.randomElement(using: &random)! }
      triples.find(in: text.span.bytes, places: &places)
      #expect(places.count == (length + 63) / 64)
      for at in text.indices {
        let isFound = places[at / 64] >> UInt64(at % 64) & 1 == 1
        let octets = Array(text[at...].prefix(3))
        if beginnings[octets.count - 1].contains(octets) {
          #expect(isFound, "\(text[at...]) at \(at) of \(length)")
        }
        if text[at] == 0x20 || text[at] == 0xC3 { #expect(!isFound) }
      }
      for at in stride(from: 0, through: length, by: 7) {
        let found = triples.places(in: text.span.bytes, from: at)
        var expected: UInt64 = 0
        for place in at..<min(length, at + 64) {
          expected |= (places[place / 64] >> UInt64(place % 64) & 1) << UInt64(place - at)
        }
        #expect(found == expected, "from \(at) of \(length)")
      }
    }
  }

  /// What has a half of one kind and the other half of another is none, in each of the three.
  @Test func tellsKindsApart() {
    let triples = Self.triples([["abx"], ["cdy"]])
    let text = Array("adx cbx aby abx cdy".utf8)
    #expect(triples.places(in: text.span.bytes, from: 0) == 0b1_0001_0000_0000_0000)
  }

  @Test func anyMayStandBehind() {
    var kind = OctetTriples.Kind()
    kind.insert(first: UInt8(ascii: "a"))
    kind.insertAnySecond()
    kind.insertAnyThird()
    let text: [UInt8] = [0x61, 0x62, 0x63, 0x61, 0x00, 0xFF, 0x61]
    #expect(OctetTriples([kind]).places(in: text.span.bytes, from: 0) == 0b100_1001)
  }
}
