// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// One property as it was read.
struct MQTTPropertyValue: BitwiseCopyable {
  var property: MQTTProperty
  /// Of numbers.
  var number: UInt32 = 0
  /// Of texts and bytes, in the packet; of a pair, its name.
  var range = ByteRange()
  /// Of a pair.
  var value = ByteRange()
}

/// A variable byte integer (MQTT 5.0 §1.5.5).
struct MQTTVariable {
  var value: Int
  /// Bytes that it takes.
  var length: Int
  /// It could have been shorter.
  var isPadded: Bool

  enum Reading {
    case whole(MQTTVariable)
    /// More bytes are needed.
    case incomplete
    /// A fourth byte asks for one more.
    case malformed
  }

  @inline(__always)
  static func read(_ bytes: RawSpan, at start: Int) -> Reading {
    var (value, length) = (0, 0)
    while length < 4 {
      guard start &+ length < bytes.byteCount else { return .incomplete }
      let byte = bytes.byte(at: start &+ length)
      value |= Int(byte & 0x7F) &<< (7 &* length)
      length &+= 1
      if byte < 0x80 {
        return .whole(
          MQTTVariable(value: value, length: length, isPadded: byte == 0 && length > 1))
      }
    }
    return .malformed
  }
}

/// Properties (MQTT 5.0 §2.2.2).
extension MQTTDecoder {
  private mutating func variable(_ bytes: RawSpan, _ what: StaticString) -> Int? {
    switch MQTTVariable.read(bytes, at: at) {
    case .whole(let found):
      if found.isPadded {
        fault(
          .mqttLength, .warning, "\(what) takes more bytes than it needs",
          MQTTRule("", "1.5.5-1"))
      }
      at += found.length
      return found.value
    case .incomplete:
      tooShort(what)
      return nil
    case .malformed:
      packet.isWhole = false
      fault(.mqttLength, .error, "\(what) has more than four bytes")
      return nil
    }
  }

  /// Reads the properties that stand at the cursor.
  ///
  /// - Parameter place: of which packet, or of the will.
  mutating func readProperties(_ bytes: RawSpan, in place: MQTTTypes) {
    properties.removeAll(keepingCapacity: true)
    guard let length = variable(bytes, "the property length") else { return }
    if length == 0 { return }
    let end = at + length
    guard end <= bytes.byteCount else { return tooShort("the properties") }
    let all = bytes.extracting(0..<end)
    var seen: UInt64 = 0
    while at < end && packet.isWhole {
      guard let property = property(all) else {
        // The list cannot be read past what is not known.
        at = end
        break
      }
      check(property, in: place, &seen)
    }
    at = packet.isWhole ? end : at
    if place != .will { packet.properties.sent = seen }
  }

  private mutating func property(_ bytes: RawSpan) -> MQTTPropertyValue? {
    guard let identifier = variable(bytes, "a property identifier") else { return nil }
    guard identifier < MQTTProperty.table.count, MQTTProperty.table[identifier] != nil,
      let property = MQTTProperty(rawValue: UInt8(identifier))
    else {
      fault(.mqttPropertyInvalid, .error, "property \(identifier) does not exist")
      return nil
    }
    var found = MQTTPropertyValue(property: property)
    let entry = property.entry
    switch entry.form {
    case .bit, .flag:
      guard let value = uint8(bytes, entry.key) else { return nil }
      found.number = UInt32(value)
    case .uint16:
      guard let value = uint16(bytes, entry.key) else { return nil }
      found.number = UInt32(value)
    case .uint32:
      guard at + 4 <= bytes.byteCount else {
        tooShort(entry.key)
        return nil
      }
      found.number = bytes.uint32(at: at)
      at += 4
    case .variable:
      guard let value = variable(bytes, entry.key) else { return nil }
      found.number = UInt32(value)
    case .string, .binary:
      guard let range = prefixed(bytes, entry.key) else { return nil }
      found.range = range
    case .pair:
      guard let name = prefixed(bytes, entry.key), let value = prefixed(bytes, entry.key) else {
        return nil
      }
      (found.range, found.value) = (name, value)
    }
    keep(found)
    properties.append(found)
    return found
  }

  private mutating func keep(_ found: MQTTPropertyValue) {
    switch found.property {
    case .topicAlias: packet.properties.alias = UInt16(found.number)
    case .receiveMaximum: packet.properties.receiveMaximum = UInt16(found.number)
    case .topicAliasMaximum: packet.properties.aliasMaximum = UInt16(found.number)
    case .serverKeepAlive: packet.properties.serverKeepAlive = UInt16(found.number)
    case .maximumPacketSize: packet.properties.maximumPacketSize = found.number
    case .sessionExpiryInterval: packet.properties.sessionExpiry = found.number
    case .subscriptionIdentifier: packet.properties.subscription = found.number
    case .responseTopic: packet.properties.responseTopic = found.range
    case .correlationData: packet.properties.correlation = found.range
    case .contentType: packet.properties.contentType = found.range
    case .assignedClientIdentifier: packet.properties.assignedClientID = found.range
    case .authenticationMethod: packet.properties.authenticationMethod = found.range
    case .reasonString: packet.properties.reasonString = found.range
    case .serverReference: packet.properties.serverReference = found.range
    default:
      let form = found.property.entry.form
      if (form == .bit || form == .flag) && found.number == 0 {
        packet.properties.zeros |= 1 << UInt64(found.property.rawValue)
      }
    }
  }

  private mutating func check(
    _ found: MQTTPropertyValue, in place: MQTTTypes, _ seen: inout UInt64
  ) {
    let entry = found.property.entry
    let name = entry.key
    if place.isDisjoint(with: entry.places) {
      let carrier = place == .will ? "the will" : "\(packet.type?.name ?? "this packet")"
      fault(.mqttPropertyInvalid, .error, "\(name) does not belong into \(carrier)")
    }
    let bit: UInt64 = 1 << UInt64(found.property.rawValue)
    let mayRepeat =
      found.property == .userProperty
      || found.property == .subscriptionIdentifier && packet.type == .publish
    if seen & bit != 0 && !mayRepeat {
      fault(.mqttPropertyInvalid, .error, "\(name) stands there more than once")
    }
    seen |= bit
    if (entry.form == .bit || entry.form == .flag) && found.number > 1 {
      fault(.mqttPropertyInvalid, .error, "\(name) is \(found.number), and must be 0 or 1")
    }
    if entry.isNeverZero && found.number == 0 {
      fault(
        found.property == .topicAlias ? .mqttAliasTooLarge : .mqttPropertyInvalid, .error,
        "\(name) is 0, which is not allowed",
        found.property == .topicAlias ? MQTTRule("", "3.3.2-8") : .none)
    }
  }

  /// Writes the properties that were read, the pairs of the application last.
  mutating func writeProperties(_ bytes: RawSpan, showsFacts: Bool = true) {
    key("properties")
    open()
    var hasPairs = false
    var hasSubscription = false
    for index in properties.indices {
      let one = properties[index]
      switch one.property {
      case .userProperty: hasPairs = true
      case .subscriptionIdentifier:
        if !hasSubscription { writeSubscriptions(showsFacts: showsFacts) }
        hasSubscription = true
      default: write(one, bytes, showsFacts: showsFacts)
      }
    }
    if hasPairs { writePairs(bytes) }
    close()
  }

  private mutating func write(
    _ one: MQTTPropertyValue, _ bytes: RawSpan, showsFacts: Bool
  ) {
    let entry = one.property.entry
    key(entry.key)
    let range: ByteRange
    switch entry.form {
    case .flag where one.number <= 1: range = write(boolean: one.number == 1)
    case .string: range = write(string: bytes[one.range], entry.key)
    case .binary:
      let written = write(binary: bytes[one.range])
      range = written.digits
      if one.property == .authenticationData {
        note("authentication data", range, .secret)
      }
    default: range = write(number: Int(one.number))
    }
    if showsFacts && one.property != .payloadFormatIndicator { note(entry.words, range) }
  }

  /// One number, or a list where a message has several.
  private mutating func writeSubscriptions(showsFacts: Bool) {
    let count = properties.count { $0.property == .subscriptionIdentifier }
    key("subscriptionIdentifier")
    if count > 1 { text.append(byte: UInt8(ascii: "[")) }
    var isFirst = true
    for index in properties.indices
    where properties[index].property == .subscriptionIdentifier {
      if !isFirst { text.append(byte: UInt8(ascii: ",")) }
      isFirst = false
      let range = write(number: Int(properties[index].number))
      if showsFacts { note("subscription", range) }
    }
    if count > 1 { text.append(byte: UInt8(ascii: "]")) }
  }

  private mutating func writePairs(_ bytes: RawSpan) {
    key("userProperties")
    text.append(byte: UInt8(ascii: "["))
    var isFirst = true
    for index in properties.indices where properties[index].property == .userProperty {
      text.append(isFirst ? "[" : ",[")
      isFirst = false
      let one = properties[index]
      write(string: bytes[one.range], "a user property")
      text.append(byte: UInt8(ascii: ","))
      let value = write(string: bytes[one.value], "a user property")
      if isCredential(bytes[one.range], bytes[one.value]) { note("credential", value, .secret) }
      text.append(byte: UInt8(ascii: "]"))
    }
    text.append(byte: UInt8(ascii: "]"))
  }

  /// Whether a pair is the name of a credential and its value.
  private mutating func isCredential(_ name: RawSpan, _ value: RawSpan) -> Bool {
    pair.removeAll()
    pair.append(name)
    pair.append("=")
    pair.append(value)
    return CredentialFinder.isAny(in: pair.bytes, .text)
  }
}
