// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The state of reading one packet.
struct MQTTReading: ~Copyable {
  var packet = MQTTPacket()
  /// Its filters, if it is SUBSCRIBE or UNSUBSCRIBE.
  var filters = ContiguousArray<MQTTFilter>()
  /// What the topic alias of a PUBLISH stands for; empty where its topic was sent.
  var aliased = ContiguousArray<UInt8>()
  /// Its topic alias was not captured, so the topic is unknown.
  var isAliasUnknown = false
  var cursor = MQTTCursor()
  var text = MQTTText()
  var properties = MQTTPropertyList()

  /// Begins a new packet.
  ///
  /// - Parameters:
  ///   - start: the end of its fixed header.
  ///   - level: the connection's level.
  mutating func begin(at start: Int, level: UInt8) {
    packet = MQTTPacket()
    packet.level = level
    if !filters.isEmpty { filters.removeAll(keepingCapacity: true) }
    if !aliased.isEmpty { aliased = [] }
    isAliasUnknown = false
    cursor.begin(at: start)
    text.removeAll()
    properties.removeAll()
  }

  // MARK: - Faults

  mutating func fault(
    _ code: Finding.Code, _ severity: Finding.Severity, _ text: String, _ rule: MQTTRule = .none
  ) {
    cursor.faults.add(code, severity, text, rule)
  }

  /// Reserved bits that are set: only a warning in MQTT 3.1, which does not require 0.
  mutating func faultOfReservedBits(_ text: String, _ rule: MQTTRule) {
    let isOld = packet.level == MQTTLevel.v31
    fault(.mqttReservedBits, isOld ? .warning : .error, text, isOld ? .none : rule)
  }

  // MARK: - Fields that several packets have

  mutating func readID(_ bytes: RawSpan) {
    packet.id = cursor.uint16(bytes, "the packet identifier")
    guard packet.id == 0 else { return }
    fault(
      .mqttIDZero, .error, "the packet identifier is 0, which is none",
      MQTTRule("2.3.1-1", "2.2.1-3"))
  }

  /// Reads the properties of a packet of MQTT 5.0, and writes them.
  mutating func readProperties(_ bytes: RawSpan, of type: MQTTType) {
    guard packet.isV5 else { return }
    packet.properties = properties.read(bytes, &cursor, of: type)
    writeProperties(bytes)
  }

  mutating func writeProperties(_ bytes: RawSpan, showsFacts: Bool = true) {
    properties.write(bytes, to: &text, &cursor.faults, showsFacts: showsFacts)
  }

  /// Writes a text in quotes; returns the range between them.
  @inline(__always) @discardableResult
  mutating func write(string bytes: RawSpan, _ what: StaticString) -> ByteRange {
    text.write(string: bytes, what, &cursor.faults)
  }
}
