// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapTraffic
import TapTransport

/// A transport with a clock.
final class PacketBench: EvidenceSink {
  private let bench = Bench()
  private var transport: Transport
  private var time: Int64 = 0
  private var number: UInt64 = 0

  init(_ limits: Limits) {
    bench.comparesStreams = false
    transport = Transport(chooser: bench, limits: limits)
  }

  func packet(_ bytes: RawSpan, _ packet: Packet) { transport.receive(bytes, packet, bench) }

  func message(_: RawSpan, _: Delivery) {}
  func finding(_: Finding) {}

  func show(_ packet: [UInt8], linkType: UInt16, after wait: Int64, captured: Int) {
    time &+= wait
    number += 1
    let description = Packet(
      time: Instant(nanoseconds: time), number: number, originalLength: UInt32(packet.count),
      linkType: linkType)
    packet.withUnsafeBytes { bytes in
      lend(UnsafeRawBufferPointer(rebasing: bytes.prefix(captured))) {
        transport.receive($0, description, bench)
      }
    }
  }

  /// The content of made segments depends on their sequence numbers, so delivered bytes must
  /// continue the sequence.
  func expectContinuity() {
    var first: [UInt8?] = []
    bench.onBytes = { bytes, delivery, number in
      let origin = delivery.origin
      let key = number << 2 | Int(origin.direction.rawValue)
      while first.count <= key { first.append(nil) }
      var awaited = first[key]
      for at in 0..<bytes.byteCount {
        let octet = bytes.unsafeLoad(fromByteOffset: at, as: UInt8.self)
        let start = octet &- UInt8(truncatingIfNeeded: origin.offset &+ UInt64(at))
        if awaited ?? start != start {
          fail("\(origin.direction) of \(origin.flow): \(octet) at \(origin.offset) + \(at)")
        }
        awaited = start
      }
      first[key] = awaited
    }
  }

  func finish() {
    transport.finish(bench)
    if bench[.payloadByte] != bench.accounted {
      fail("\(bench[.payloadByte]) of payload: \(bench.description)")
    }
  }
}
