// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapInputs
import TapTraffic
import TapTransport

/// Whatever packets come: each byte of payload is delivered, or accounted for once.
@_cdecl("TransportFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard bytes.count > 1 else { return }
    let isTight = bytes[0] & 1 == 1
    let rest = UnsafeRawBufferPointer(rebasing: bytes[1...])
    let bench = Bench(isTight ? .tight : Limits())
    if bytes[0] & 2 == 0 {
      // Packets as a capture file has them.
      var input = PcapInput(input: 0, limits: Limits())
      input.receive(rest.bytes, bench)
      input.finish(bench)
    } else {
      var packets = MadePackets(rest)
      while let (linkType, packet, wait, captured) = packets.next() {
        bench.show(packet, linkType: linkType, after: wait, captured: captured)
      }
    }
    bench.finish()
  }
}

/// A transport with a clock.
private final class Bench: Floor {
  private let chooser = Counting()
  private let tally = Tally()
  private var transport: Transport
  private var time: Int64 = 0
  private var number: UInt64 = 0

  init(_ limits: Limits) { transport = Transport(chooser: chooser, limits: limits) }

  func packet(_ bytes: RawSpan, _ packet: Packet) { transport.receive(bytes, packet, tally) }

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
        transport.receive($0, description, tally)
      }
    }
  }

  func finish() {
    transport.finish(tally)
    let sum = chooser.delivered + tally[.repeated] + tally[.afterClose] + tally[.incomplete]
    if tally[.payloadByte] != sum {
      fail(
        "\(tally[.payloadByte]) of payload, delivered \(chooser.delivered);"
          + " \(tally.description)")
    }
  }
}
