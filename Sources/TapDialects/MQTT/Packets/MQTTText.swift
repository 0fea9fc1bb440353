// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Writes the JSON that stands for a packet in every output, and notes the parts that a line shows.
struct MQTTText: ~Copyable {
  var json = TextBuffer(capacity: 512)
  var shown = MQTTShown()
  /// All of it is printable ASCII.
  private var isPlain = true
  /// No key was written to the open object yet.
  private var isFirstKey = true

  mutating func removeAll() {
    json.removeAll()
    shown.removeAll()
    (isPlain, isFirstKey) = (true, true)
  }

  /// The packet is complete.
  mutating func finish() {
    shown.traits = shown.traits.union([.isText, .isJSON, .isCompact])
    if isPlain { shown.traits.insert(.isPlain) }
  }

  // MARK: - Objects

  mutating func key(_ name: StaticString) {
    json.append(isFirstKey ? "\"" : ",\"")
    isFirstKey = false
    json.append(name)
    json.append("\":")
  }

  /// Appends members that begin with a comma.
  mutating func append(members: StaticString) {
    json.append(members)
    isFirstKey = false
  }

  mutating func open(_ bracket: UInt8 = UInt8(ascii: "{")) {
    json.append(byte: bracket)
    isFirstKey = true
  }

  mutating func close(_ bracket: UInt8 = UInt8(ascii: "}")) {
    json.append(byte: bracket)
    isFirstKey = false
  }

  // MARK: - Values

  /// Writes a text in quotes; returns the range between them.
  @inline(__always) @discardableResult
  mutating func write(
    string bytes: RawSpan, _ what: StaticString, _ faults: inout MQTTFaults
  ) -> ByteRange {
    let start = json.count &+ 1
    if !JSONString.appendPlain(bytes, to: &json) { writeOdd(bytes, what, &faults) }
    return ByteRange(start, json.count &- 1)
  }

  /// Writes a text that needs escapes or is not valid (MQTT 5.0 §1.5.4).
  @inline(never)
  private mutating func writeOdd(
    _ bytes: RawSpan, _ what: StaticString, _ faults: inout MQTTFaults
  ) {
    let start = json.count
    if bytes.firstIndex(of: 0) != nil {
      faults.add(
        .mqttUTF8, .error, "\(what) has the character U+0000", MQTTRule("1.5.3-2", "1.5.4-2"))
    }
    if let place = JSONString.append(bytes, to: &json) {
      faults.add(
        .mqttUTF8, .error, "\(what) is no UTF-8 from byte \(place) on",
        MQTTRule("1.5.3-1", "1.5.4-1"))
      json.append(jsonString: bytes)
    }
    lookForUnplain(from: start)
  }

  /// Writes bytes that may be text: as a string if they are UTF-8, otherwise in Base64.
  ///
  /// - Returns: the range between the quotes, of the text or the Base64.
  @discardableResult
  mutating func write(binary bytes: RawSpan) -> (digits: ByteRange, isText: Bool) {
    let start = json.count
    if JSONString.appendPlain(bytes, to: &json) {
      return (ByteRange(start &+ 1, json.count &- 1), true)
    }
    if JSONString.append(bytes, to: &json) == nil {
      lookForUnplain(from: start)
      return (ByteRange(start &+ 1, json.count &- 1), true)
    }
    Base64.appendObject(bytes, to: &json)
    return (ByteRange(start &+ 11, json.count &- 2), false)
  }

  /// Writes a number; returns its range.
  @discardableResult
  mutating func write(number: Int) -> ByteRange {
    let start = json.count
    json.append(decimal: number)
    return ByteRange(start, json.count)
  }

  @discardableResult
  mutating func write(boolean: Bool) -> ByteRange {
    let start = json.count
    json.append(boolean ? "true" : "false")
    return ByteRange(start, json.count)
  }

  // MARK: - Filters that match the topic

  /// Opens the list of matching filters after the packet's fields.
  mutating func beginMatches() {
    json.truncate(json.count &- 1)
    json.append(#","matchedFilters":["#)
    isFirstKey = true
  }

  /// Adds a filter that the topic of the packet matches.
  mutating func append(match filter: RawSpan) {
    if !isFirstKey { json.append(byte: UInt8(ascii: ",")) }
    isFirstKey = false
    let start = json.count
    // Faults of a filter were reported with its SUBSCRIBE.
    if JSONString.appendPlain(filter, to: &json) { return }
    json.append(jsonString: filter)
    lookForUnplain(from: start)
  }

  mutating func endMatches() {
    json.append("]}")
    if !isPlain { shown.traits.remove(.isPlain) }
  }

  // MARK: - Plain text

  private mutating func lookForUnplain(from start: Int) {
    if isPlain { isPlain = json.bytes.dropping(start).isPlain }
  }
}
