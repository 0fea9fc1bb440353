// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// MQTT 3.1 to 5.0. Each direction is read as one byte stream, as neither TCP segments nor
/// WebSocket messages align with packets (MQTT 5.0 §6.0).
struct MQTTLayer: Layer {
  private let reader: Cell<MQTTReader>

  init(_ opening: Opening, _ run: RunContext) { reader = Cell(MQTTReader(opening, run)) }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    reader.value.receive(bytes, delivery, listener)
  }

  mutating func hear(_ delivery: Delivery, _: any Listener) { reader.value.hear(delivery) }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    reader.value.gap(missing, delivery, listener)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    reader.value.finish(ending, delivery, listener)
  }
}
