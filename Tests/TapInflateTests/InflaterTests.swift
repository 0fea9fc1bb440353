// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInflate
import TapTesting
import Testing

/// What a caller gets for one message: the pieces in turn, then the tail that RFC 7692 removes.
private func message(
  _ inflater: Inflater, _ pieces: [[UInt8]], limit: Int = 1 << 20
) -> (text: [UInt8], outcomes: [Inflater.Outcome]) {
  var out = Scratch()
  var outcomes: [Inflater.Outcome] = []
  for piece in pieces + [[0x00, 0x00, 0xFF, 0xFF]] {
    var rest = ContiguousArray(piece)
    while true {
      let outcome = inflater.inflate(rest.span.bytes, into: &out, limit: limit)
      outcomes.append(outcome)
      guard case .streamEnd(let consumed) = outcome, consumed < rest.count else { break }
      rest.removeFirst(consumed)
    }
  }
  return (out.bytes.copied(), outcomes)
}

private let hello = Array("Hello".utf8)

@Suite struct InflaterTests {
  /// The examples of RFC 7692 §7.2.3.
  @Test(arguments: [
    ("one block", wire(0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00)),
    ("no compression", wire(0x00, 0x05, 0x00, 0xFA, 0xFF, "Hello", 0x00)),
    ("BFINAL", wire(0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00)),
    (
      "two blocks",
      wire(0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00)
    ),
  ])
  func exampleOfTheRFC(name: String, payload: [UInt8]) throws {
    for bits in Int32(8)...15 {
      let inflater = try #require(Inflater(windowBits: bits))
      #expect(message(inflater, [payload]).text == hello, "\(name)")
      // Once more: nothing of the first message may be left over.
      #expect(message(inflater, [payload]).text == hello, "\(name), again")
      #expect(message(inflater, payload.map { [$0] }).text == hello, "\(name), by bytes")
    }
  }

  @Test func refusesOtherWindows() {
    for bits in [Int32.min, -15, 0, 7, 16, 31, 47] { #expect(Inflater(windowBits: bits) == nil) }
  }

  @Test func contextTakeover() throws {
    let inflater = try #require(Inflater(windowBits: 15))
    #expect(message(inflater, [[0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]]).text == hello)
    #expect(message(inflater, [[0xF2, 0x00, 0x11, 0x00, 0x00]]).text == hello)
  }

  @Test func contextSurvivesAFinalBlock() throws {
    let inflater = try #require(Inflater(windowBits: 15))
    let first = message(inflater, [[0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]])
    #expect(first.outcomes == [.streamEnd(consumed: 7), .done, .done])
    #expect(message(inflater, [[0xF2, 0x00, 0x11, 0x00, 0x00]]).text == hello)
  }

  @Test func unseenContextIsNotGuessed() throws {
    let second: [UInt8] = [0xF2, 0x00, 0x11, 0x00, 0x00]
    let inflater = try #require(Inflater(windowBits: 15))
    let reported = message(inflater, [second])
    #expect(reported.outcomes == [.unknownContext, .unknownContext])
    // `reset` forgets what was seen: the same must hold then.
    inflater.reset()
    #expect(message(inflater, [[0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]]).text == hello)
    inflater.reset()
    #expect(message(inflater, [second]).outcomes.first == .unknownContext)
    inflater.reset()
    // "Hey" is shorter than the distance 5, so zlib's zeroed window must not be taken for text.
    let hey = message(inflater, [wire(0x00, 3, 0, 0xFC, 0xFF, "Hey", 0x00)])
    #expect(hey.text == Array("Hey".utf8))
    #expect(message(inflater, [second]).outcomes.first == .unknownContext)
  }

  @Test func corruptIsNotUnknown() throws {
    let inflater = try #require(Inflater(windowBits: 15))
    // Block type 3 is reserved (RFC 1951 §3.2.3).
    #expect(message(inflater, [[0x07]]).outcomes.first == .corrupt)
    #expect(message(inflater, [[0xF2, 0x48]]).outcomes.first == .corrupt)
    inflater.reset()
    #expect(message(inflater, [[0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]]).text == hello)
  }

  @Test(arguments: 0...6)
  func limit(_ limit: Int) throws {
    let inflater = try #require(Inflater(windowBits: 15))
    let payload: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
    let reported = message(inflater, [payload], limit: limit)
    #expect(reported.text == Array(hello.prefix(limit)))
    #expect(reported.outcomes.first == (limit < 5 ? .tooLarge : .done))
    // The window is right all the same.
    #expect(message(inflater, [[0xF2, 0x00, 0x11, 0x00, 0x00]]).text == hello)
  }

  @Test func tooLargeGoesOnBehindAFinalBlock() throws {
    let inflater = try #require(Inflater(windowBits: 15))
    let first = wire(0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00)
    #expect(message(inflater, [first], limit: 3).outcomes == [.tooLarge, .done])
    #expect(message(inflater, [[0xF2, 0x00, 0x11, 0x00, 0x00]]).text == hello)
  }

  @Test func bombStaysInBounds() throws {
    // 'a', then copies of length 258 at distance 1: 8 bits of length code, 5 of distance.
    let inflater = try #require(Inflater(windowBits: 15))
    var bits: [UInt8] = [0, 1, 0]
    bits += [1, 0, 0, 1, 0, 0, 0, 1]  // literal 'a' (0x61 + 0x30), most significant bit first
    for _ in 0..<20_000 { bits += [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0] }
    bits += [0, 0, 0, 0, 0, 0, 0]
    var payload: [UInt8] = []
    for start in stride(from: 0, to: bits.count, by: 8) {
      var octet: UInt8 = 0
      for (place, bit) in bits[start..<min(start + 8, bits.count)].enumerated() {
        octet |= bit << UInt8(place)
      }
      payload.append(octet)
    }
    let whole = 1 + 258 * 20_000
    #expect(message(inflater, [payload], limit: whole).text.count == whole)
    inflater.reset()
    let reported = message(inflater, [payload], limit: 1000)
    #expect(reported.text.count == 1000)
    #expect(reported.outcomes.first == .tooLarge)
  }

  @Test func randomOctetsNeverCrash() throws {
    var random = Seeded(11)
    let inflater = try #require(Inflater(windowBits: 9))
    for _ in 0..<2000 {
      let count = Int.random(in: 0..<60, using: &random)
      let payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(message(inflater, [payload], limit: 4096).text.count <= 4096)
      if Bool.random(using: &random) { inflater.reset() }
    }
  }
}
