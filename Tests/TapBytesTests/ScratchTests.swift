// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import Testing

@Suite struct ScratchTests {
  /// RFC 6455 §5.3: byte i is XORed with byte i mod 4 of the key.
  @Test func unmasksEveryPhaseAndLength() {
    var random = Seeded(1)
    for length in 0...70 {
      for phase in 0..<9 {
        let key = UInt32.random(in: .min ... .max, using: &random)
        let masked = octets(length, &random)
        let expected = masked.enumerated().map { index, byte in
          byte ^ UInt8(truncatingIfNeeded: key >> UInt32((index + phase) % 4 * 8))
        }
        var scratch = Scratch()
        scratch.append(0xAA)
        scratch.append(masked.span.bytes, unmaskedWith: key, phase: phase)
        #expect(scratch.bytes.copied() == [0xAA] + expected, "length \(length) phase \(phase)")
      }
    }
  }

  /// The single-frame masked text message of RFC 6455 §5.7.
  @Test func unmasksTheExampleOfTheRFC() {
    let payload: [UInt8] = [0x7F, 0x9F, 0x4D, 0x51, 0x58]
    var scratch = Scratch()
    scratch.append(payload.span.bytes, unmaskedWith: 0x3D21_FA37, phase: 0)
    #expect(scratch.bytes.copied() == wire("Hello"))
  }

  @Test func behavesLikeAnArray() {
    var random = Seeded(2)
    var scratch = Scratch()
    var oracle: [UInt8] = []
    for _ in 0..<3000 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        scratch.append(7)
        oracle.append(7)
      case 1, 2:
        let more = octets(.random(in: 0...300, using: &random), &random)
        scratch.append(more.span.bytes)
        oracle += more
      case 3:
        let count = Int.random(in: 0...oracle.count, using: &random)
        scratch.removeFirst(count)
        oracle.removeFirst(count)
      case 4:
        let count = Int.random(in: 0...oracle.count, using: &random)
        scratch.truncate(count)
        oracle.removeLast(oracle.count - count)
      case 5:
        let room = Int.random(in: 0...600, using: &random)
        let wrote = Int.random(in: 0...room, using: &random)
        scratch.fill(room) { free in
          #expect(free.count >= room)
          for index in 0..<wrote { free[index] = UInt8(truncatingIfNeeded: index) }
          return wrote
        }
        oracle += (0..<wrote).map { UInt8(truncatingIfNeeded: $0) }
      case 6: scratch.shrink(above: 0)
      default:
        if oracle.count > 4000 {
          scratch.removeAll()
          oracle.removeAll()
        }
      }
      #expect(scratch.count == oracle.count && scratch.isEmpty == oracle.isEmpty)
    }
    #expect(scratch.bytes.copied() == oracle)
  }

  @Test func removeFirstMovesTheRest() {
    var scratch = Scratch()
    let bytes = wire("0123456789")
    scratch.append(bytes.span.bytes)
    scratch.removeFirst(0)
    #expect(scratch.bytes.copied() == bytes)
    scratch.removeFirst(3)
    #expect(scratch.bytes.copied() == wire("3456789"))
    scratch.removeFirst(7)
    #expect(scratch.bytes.copied() == [])
  }
}
