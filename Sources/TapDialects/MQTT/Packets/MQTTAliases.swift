// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The topic aliases of one direction of a connection (MQTT 5.0 §3.3.2.3.4).
struct MQTTAliases {
  private var topics: [UInt16: ContiguousArray<UInt8>] = [:]
  private var bytes = 0
  /// The limit for all topics together, in bytes; aliases beyond it are not kept.
  private let most: Int
  /// An alias was not kept, or may have been set in bytes that were not captured.
  private(set) var isPartial: Bool

  init(isFromStart: Bool, limits: Limits) {
    (most, isPartial) = (limits.mqttAliasBytes, !isFromStart)
  }

  /// Bytes are missing in which each alias may have been set anew: no topic is known any more.
  mutating func miss() {
    topics.removeAll()
    (bytes, isPartial) = (0, true)
  }

  mutating func set(_ alias: UInt16, to topic: RawSpan) {
    if let known = topics[alias], unsafe known.span.bytes.equals(topic) { return }
    bytes += topic.byteCount - (topics[alias]?.count ?? 0)
    if bytes > most {
      bytes -= topic.byteCount
      topics[alias] = nil
      isPartial = true
      return
    }
    topics[alias] = ContiguousArray(topic.copied())
  }

  /// The topic of an alias; nil when it is not known.
  func topic(_ alias: UInt16) -> ContiguousArray<UInt8>? { topics[alias] }
}
