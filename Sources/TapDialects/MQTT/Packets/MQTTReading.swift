// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One packet while it is read: what was read of it, and what is needed to read on.
struct MQTTReading: ~Copyable {
  var packet = MQTTPacket()
  /// Its filters, if it is SUBSCRIBE or UNSUBSCRIBE.
  var filters = ContiguousArray<MQTTFilter>()
  /// Its alias stands for a topic that was not captured.
  var isAliasUnknown = false
  var cursor = MQTTCursor()
  var text = MQTTText()
  var properties = MQTTPropertyList()

  /// Forgets the packet before.
  ///
  /// - Parameters:
  ///   - start: where its fixed header ends.
  ///   - level: of the connection.
  mutating func begin(at start: Int, level: UInt8) {
    packet = MQTTPacket()
    packet.level = level
    if !filters.isEmpty { filters.removeAll(keepingCapacity: true) }
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

  /// MQTT 3.1 does not use the bits that later versions want to be 0.
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

  /// Writes a text in quotes and answers the range between them.
  @inline(__always) @discardableResult
  mutating func write(string bytes: RawSpan, _ what: StaticString) -> ByteRange {
    text.write(string: bytes, what, &cursor.faults)
  }
}
