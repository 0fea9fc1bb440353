// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One property of a packet.
struct MQTTPropertyValue: BitwiseCopyable {
  var property: MQTTProperty
  var number: UInt32 = 0
  /// For texts and bytes, the range in the packet; for a pair, the range of its name.
  var range = ByteRange()
  /// For a pair, the range of its value.
  var value = ByteRange()
}

/// The properties of a packet or of a will (MQTT 5.0 §2.2.2): reads them with a cursor, and writes
/// them to the packet's JSON.
struct MQTTPropertyList {
  /// In the order of the packet.
  private(set) var values = ContiguousArray<MQTTPropertyValue>()
  /// A user property's key and value, for checks.
  private var pair = Scratch()

  mutating func removeAll() {
    if !values.isEmpty { values.removeAll(keepingCapacity: true) }
  }

  // MARK: - Reading

  /// Reads the properties at the cursor.
  ///
  /// - Parameter type: the packet type; nil for the properties of a will.
  /// - Returns: the properties that other rules depend on.
  mutating func read(
    _ bytes: RawSpan, _ cursor: inout MQTTCursor, of type: MQTTType?
  ) -> MQTTProperties {
    removeAll()
    var kept = MQTTProperties()
    guard let length = cursor.variable(bytes, "the property length"), length > 0 else {
      return kept
    }
    let end = cursor.at + length
    guard end <= bytes.byteCount else {
      cursor.tooShort("the properties")
      return kept
    }
    let all = bytes.extracting(0..<end)
    while cursor.at < end && cursor.isWhole {
      guard let found = Self.value(all, &cursor) else {
        // After an unknown property, the rest of the list cannot be parsed.
        cursor.at = end
        break
      }
      Self.check(found, of: type, kept, &cursor.faults)
      kept.keep(found)
      values.append(found)
    }
    return kept
  }

  private static func value(
    _ bytes: RawSpan, _ cursor: inout MQTTCursor
  ) -> MQTTPropertyValue? {
    guard let identifier = cursor.variable(bytes, "a property identifier") else { return nil }
    guard identifier < MQTTProperty.table.count, MQTTProperty.table[identifier] != nil,
      let property = MQTTProperty(rawValue: UInt8(identifier))
    else {
      cursor.faults.add(.mqttPropertyInvalid, .error, "property \(identifier) does not exist")
      return nil
    }
    var found = MQTTPropertyValue(property: property)
    let entry = property.entry
    switch entry.form {
    case .bit, .flag:
      guard let value = cursor.uint8(bytes, entry.key) else { return nil }
      found.number = UInt32(value)
    case .uint16:
      guard let value = cursor.uint16(bytes, entry.key) else { return nil }
      found.number = UInt32(value)
    case .uint32:
      guard let value = cursor.uint32(bytes, entry.key) else { return nil }
      found.number = value
    case .variable:
      guard let value = cursor.variable(bytes, entry.key) else { return nil }
      found.number = UInt32(value)
    case .string, .binary:
      guard let range = cursor.prefixed(bytes, entry.key) else { return nil }
      found.range = range
    case .pair:
      guard let name = cursor.prefixed(bytes, entry.key),
        let value = cursor.prefixed(bytes, entry.key)
      else { return nil }
      (found.range, found.value) = (name, value)
    }
    return found
  }

  private static func check(
    _ found: MQTTPropertyValue, of type: MQTTType?, _ before: MQTTProperties,
    _ faults: inout MQTTFaults
  ) {
    let entry = found.property.entry
    let name = entry.key
    if !(type.map(entry.places.contains) ?? entry.places.hasWill) {
      let carrier = type.map { "\($0.name)" } ?? "the will"
      faults.add(.mqttPropertyInvalid, .error, "\(name) is not allowed in \(carrier)")
    }
    let mayRepeat =
      found.property == .userProperty
      || found.property == .subscriptionIdentifier && type == .publish
    if before.has(found.property) && !mayRepeat {
      faults.add(.mqttPropertyInvalid, .error, "\(name) occurs more than once")
    }
    if (entry.form == .bit || entry.form == .flag) && found.number > 1 {
      faults.add(.mqttPropertyInvalid, .error, "\(name) is \(found.number), and must be 0 or 1")
    }
    if entry.isNeverZero && found.number == 0 {
      faults.add(
        found.property == .topicAlias ? .mqttAliasTooLarge : .mqttPropertyInvalid, .error,
        "\(name) is 0, which is not allowed",
        found.property == .topicAlias ? MQTTRule("", "3.3.2-8") : .none)
    }
  }

  /// Checks the response topic of a message or of a will.
  func checkResponseTopic(_ bytes: RawSpan, _ faults: inout MQTTFaults) {
    guard let one = values.first(where: { $0.property == .responseTopic }) else { return }
    let topic = bytes[one.range]
    if topic.isEmpty {
      return faults.add(
        .mqttTopicEmpty, .error, "the response topic is empty", MQTTRule("", "4.7.3-1"))
    }
    guard MQTTTopic.isPattern(topic) else { return }
    faults.add(
      .mqttTopicWildcard, .error,
      "the response topic “\(MQTTFault.quoted(topic))” has a wildcard", MQTTRule("", "3.3.2-14"))
  }

  // MARK: - Writing

  /// Writes the properties, user properties last.
  mutating func write(
    _ bytes: RawSpan, to text: inout MQTTText, _ faults: inout MQTTFaults, showsFacts: Bool = true
  ) {
    text.key("properties")
    text.open()
    var hasPairs = false
    var hasSubscription = false
    for one in values {
      switch one.property {
      case .userProperty: hasPairs = true
      case .subscriptionIdentifier:
        if !hasSubscription { writeSubscriptions(to: &text, showsFacts: showsFacts) }
        hasSubscription = true
      default:
        let range = Self.write(one, bytes, to: &text, &faults)
        if showsFacts && one.property != .payloadFormatIndicator {
          text.shown.note(one.property.entry.words, range)
        }
      }
    }
    if hasPairs { writePairs(bytes, to: &text, &faults) }
    text.close()
  }

  private static func write(
    _ one: MQTTPropertyValue, _ bytes: RawSpan, to text: inout MQTTText,
    _ faults: inout MQTTFaults
  ) -> ByteRange {
    let entry = one.property.entry
    text.key(entry.key)
    switch entry.form {
    case .flag where one.number <= 1: return text.write(boolean: one.number == 1)
    case .string: return text.write(string: bytes[one.range], entry.key, &faults)
    case .binary:
      let range = text.write(binary: bytes[one.range]).digits
      if one.property == .authenticationData {
        text.shown.note("authentication data", range, .secret)
      }
      return range
    default: return text.write(number: Int(one.number))
    }
  }

  /// Writes subscription identifiers: one number, or a list of several.
  private func writeSubscriptions(to text: inout MQTTText, showsFacts: Bool) {
    let count = values.count { $0.property == .subscriptionIdentifier }
    text.key("subscriptionIdentifier")
    if count > 1 { text.json.append(byte: UInt8(ascii: "[")) }
    var isFirst = true
    for one in values where one.property == .subscriptionIdentifier {
      if !isFirst { text.json.append(byte: UInt8(ascii: ",")) }
      isFirst = false
      let range = text.write(number: Int(one.number))
      if showsFacts { text.shown.note("subscription", range) }
    }
    if count > 1 { text.json.append(byte: UInt8(ascii: "]")) }
  }

  private mutating func writePairs(
    _ bytes: RawSpan, to text: inout MQTTText, _ faults: inout MQTTFaults
  ) {
    text.key("userProperties")
    text.json.append(byte: UInt8(ascii: "["))
    var isFirst = true
    for index in values.indices where values[index].property == .userProperty {
      text.json.append(isFirst ? "[" : ",[")
      isFirst = false
      let one = values[index]
      text.write(string: bytes[one.range], "a user property", &faults)
      text.json.append(byte: UInt8(ascii: ","))
      let value = text.write(string: bytes[one.value], "a user property", &faults)
      if isCredential(bytes[one.range], bytes[one.value]) {
        text.shown.note("credential", value, .secret)
      }
      text.json.append(byte: UInt8(ascii: "]"))
    }
    text.json.append(byte: UInt8(ascii: "]"))
  }

  private mutating func isCredential(_ name: RawSpan, _ value: RawSpan) -> Bool {
    pair.removeAll()
    pair.append(name)
    pair.append("=")
    pair.append(value)
    return CredentialFinder.isAny(in: pair.bytes, .text)
  }
}
