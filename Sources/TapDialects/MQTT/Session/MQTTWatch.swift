// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Judges what the packets of one connection do together.
struct MQTTWatch {
  init(_ opening: Opening, _ run: RunContext) {}

  mutating func miss(_ direction: Direction) {}
  mutating func half(_ delivery: Delivery, _ listener: any Listener) {}

  mutating func finish(
    _ ending: Ending, by first: Direction, _ delivery: Delivery, _ listener: any Listener
  ) {}

  mutating func ahead(
    _ packet: MQTTPacket, _ filters: borrowing ContiguousArray<MQTTFilter>, _ bytes: RawSpan,
    _ message: Message, _ listener: any Listener
  ) {}

  mutating func look(
    _ packet: MQTTPacket, _ filters: borrowing ContiguousArray<MQTTFilter>, _ bytes: RawSpan,
    _ origin: Origin, _ listener: any Listener
  ) {}
}
