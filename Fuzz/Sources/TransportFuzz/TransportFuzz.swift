// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapCaptures
import TapEvidence
import TapTraffic

/// With any packets: each payload byte is delivered at its place, or accounted for once.
@_cdecl("TransportFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard bytes.count > 1 else { return }
    let isTight = bytes[0] & 1 == 1
    let rest = UnsafeRawBufferPointer(rebasing: bytes[1...])
    let engine = PacketBench(isTight ? .tight : Limits())
    if bytes[0] & 2 == 0 {
      // Packets in the format of a capture file.
      var input = PcapInput(Place(input: 0), limits: Limits())
      input.receive(rest.bytes, engine)
      input.finish(engine)
    } else {
      let isHonest = bytes[0] & 4 == 0
      if isHonest { engine.expectContinuity() }
      var packets = MadePackets(rest, isHonest: isHonest)
      while let (linkType, packet, wait, captured) = packets.next() {
        engine.show(packet, linkType: linkType, after: wait, captured: captured)
      }
    }
    engine.finish()
  }
}
