// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTesting
import Testing

@Suite("Transcoder") struct TranscoderTests {
  @Test("keys are compared within one object, also among very many") func keys() {
    func text(_ name: String) -> [UInt8] { [0xA0 | UInt8(name.utf8.count)] + name.utf8 }
    // The same names side by side, one in the other, and again in the next message.
    let twin = wire(0x92, 0x81, text("a"), 1, 0x81, text("a"), 0x81, text("a"), 1)
    var transcoder = Transcoder(maximumDepth: 8, maximumBytes: 1 << 24)
    for _ in 0..<3 {
      #expect(Transcoded(twin, .messagePack, with: &transcoder).peculiarities == [])
    }
    var many: [UInt8] = [0xDE, 0x27, 0x10]
    for number in 0..<9_999 { many += text("\(number)") + [0] }
    let repeated = many.count
    many += text("4711") + [0]
    for _ in 0..<2 {
      let reported = Transcoded(many, .messagePack, with: &transcoder)
      #expect(reported.peculiarities == [Peculiarity(.duplicateKey, offset: repeated)])
    }
  }

  @Test("too many keys are not compared, and it is said") func veryManyKeys() {
    var many: [UInt8] = [0xDF, 0, 1, 0x86, 0xA0]
    for number in 0..<100_000 { many += [0xA6] + String(100_000 + number).utf8 + [0] }
    let reported = Transcoded(many, .messagePack, maximumBytes: 1 << 24)
    #expect(reported.kinds == [.keysUnchecked])
    #expect(reported.end == many.count)
  }

  @Test("the text stays within its bound") func size() {
    let nothing = [UInt8](repeating: 0xC0, count: 1000)
    let reported = Transcoded([0xDC, 0x03, 0xE8] + nothing, .messagePack, maximumBytes: 100)
    #expect(reported.fault?.problem == .tooLarge)
    #expect(reported.text == nil)
  }

  @Test("peculiarities are kept up to a number, and counted") func many() {
    let octets = [0x98, 0x1E] + [UInt8](repeating: 0xF7, count: 30)
    var transcoder = Transcoder(maximumDepth: 8, maximumBytes: 1 << 20)
    let reported = Transcoded(octets, .cbor, with: &transcoder)
    #expect(reported.peculiarities.count == Transcoder.maximumPeculiarities)
    #expect(transcoder.peculiarityCount == 30)
    #expect(Transcoded([0x01], .cbor, with: &transcoder).peculiarities == [])
    #expect(transcoder.peculiarityCount == 0)
  }

  @Test("whatever the bytes, there is a value or a fault, and the value is JSON")
  func anything() {
    var random = Seeded(11)
    var transcoder = Transcoder(maximumDepth: 16, maximumBytes: 4096)
    var scanner = JSONScanner(maximumDepth: 16)
    var values = 0
    for round in 0..<20_000 {
      let count = Int.random(in: 1...24, using: &random)
      var octets = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let markers = Array("[{]}$#iUIlLdDSCHZTFNuMmhB".utf8)
      let serializer = Serializer.allCases[round % 4]
      if round % 4 > 1 {
        for at in octets.indices where octets[at] > 60 {
          octets[at] = markers[Int(octets[at]) % markers.count]
        }
      }
      let reported = Transcoded(octets, serializer, with: &transcoder)
      #expect((reported.end == nil) == (reported.fault != nil))
      guard let text = reported.text else { continue }
      values += 1
      let utf8 = ContiguousArray(text.utf8)
      let end = scanner.scan(utf8.span.bytes)
      #expect(end == utf8.count, "\(octets): \(text)")
      #expect(scanner.hasNonFinite == reported.kinds.contains(.nonFinite), "\(octets): \(text)")
    }
    #expect(values > 1000)
  }

  @Test("what the transcoder knows of its text is what a scanner finds", arguments: [7, 8, 9])
  func elements(_ seed: UInt64) {
    var random = Seeded(seed)
    var transcoder = Transcoder(maximumDepth: 16, maximumBytes: 4096)
    var (scanned, adopted) = (JSONScanner(maximumDepth: 16), JSONScanner(maximumDepth: 16))
    var text = TextBuffer()
    var lists = 0
    for round in 0..<20_000 {
      let serializer = Serializer.allCases[round % 4]
      let count = Int.random(in: 1...40, using: &random)
      var octets = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      // Mostly lists of a few values, as messages are.
      switch serializer {
      case .messagePack: octets[0] = 0x90 | octets[0] & 7
      case .cbor: octets[0] = 0x80 | octets[0] & 7
      default:
        let markers = Array("[{]}UiISHTFZdDC#".utf8)
        for at in octets.indices where at & 1 == 0 {
          octets[at] = markers[Int(octets[at]) % markers.count]
        }
        octets[0] = 0x5B
      }
      text.removeAll()
      guard transcoder.transcode(octets.span.bytes, serializer, into: &text) != nil else {
        continue
      }
      adopted.adopt(transcoder, end: text.count)
      let end = scanned.scan(text.bytes)
      #expect(end == text.count)
      #expect(adopted.isArray == scanned.isArray && adopted.isStrict == scanned.isStrict)
      #expect(!adopted.hasSpace && !scanned.hasSpace)
      #expect(adopted.hasUnplain || !scanned.hasUnplain)
      #expect(adopted.elements.count == scanned.elements.count)
      #expect(adopted.elements.kinds == scanned.elements.kinds, "\(octets)")
      for at in 0..<min(scanned.elements.count, JSONElements.kept) {
        let (left, right) = (adopted.elements[at].range, scanned.elements[at].range)
        #expect(left.start == right.start && left.end == right.end)
      }
      if scanned.isArray && scanned.elements.count > 1 { lists += 1 }
    }
    #expect(lists > 100)
  }

  @Test("fractions have the fewest digits that stand for them") func fractions() {
    var random = Seeded(12)
    var transcoder = Transcoder(maximumDepth: 1, maximumBytes: 100)
    for round in 0..<30_000 {
      let bits = UInt64.random(in: .min ... .max, using: &random)
      let digits = Double(Int64(bits % 10_000_000) - 5_000_000)
      let scale = [10.0, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000][round % 7]
      let value =
        round % 3 == 0
        ? Double(bitPattern: bits) : round % 3 == 1 ? digits / scale : (digits / scale).nextUp
      if !value.isFinite || value == value.rounded() { continue }
      let octets =
        [0xFB] + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (56 - $0 * 8)) }
      #expect(Transcoded(octets, .cbor, with: &transcoder).text == value.description)
    }
  }
}
