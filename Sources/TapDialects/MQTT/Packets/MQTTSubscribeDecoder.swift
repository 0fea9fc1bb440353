// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// SUBSCRIBE and UNSUBSCRIBE (MQTT 5.0 §3.8, §3.10).
struct MQTTSubscribeDecoder {
  /// The limit of filters that are read per packet.
  let most: Int

  func decode(_ type: MQTTType, _ bytes: RawSpan, _ reading: inout MQTTReading) {
    reading.readProperties(bytes, of: type)
    guard reading.cursor.isWhole else { return }
    reading.text.key(type == .subscribe ? "subscriptions" : "topicFilters")
    reading.text.open(UInt8(ascii: "["))
    var isFirst = true
    while reading.cursor.at < bytes.byteCount && reading.cursor.isWhole {
      if reading.filters.count == most {
        reading.fault(
          .mqttTooManyFilters, .warning,
          "it has more than \(most) filters: the rest is not read")
        reading.cursor.stop()
        break
      }
      if !isFirst { reading.text.json.append(byte: UInt8(ascii: ",")) }
      isFirst = false
      if type == .subscribe {
        Self.decodeSubscription(bytes, &reading)
      } else if let (range, shown) = Self.decodeFilter(bytes, &reading) {
        reading.filters.append(
          MQTTFilter(range: range, options: 0, shown: shown, shownQoS: ByteRange()))
        Self.checkFilter(bytes[range], &reading)
      }
    }
    reading.text.close(UInt8(ascii: "]"))
    if reading.filters.isEmpty && reading.cursor.isWhole {
      reading.fault(
        .mqttFilterListEmpty, .error, "\(type.name) has no filter",
        type == .subscribe ? MQTTRule("3.8.3-3", "3.8.3-2") : MQTTRule("3.10.3-2"))
    }
    Self.noteFilters(bytes, &reading)
  }

  private static func decodeSubscription(_ bytes: RawSpan, _ reading: inout MQTTReading) {
    reading.text.open()
    defer { reading.text.close() }
    reading.text.key("topicFilter")
    guard let (range, shown) = decodeFilter(bytes, &reading),
      let options = reading.cursor.uint8(bytes, "the subscription options")
    else { return }
    reading.text.key("qos")
    let qos = reading.text.write(number: Int(options & 3))
    reading.filters.append(
      MQTTFilter(range: range, options: options, shown: shown, shownQoS: qos))
    if reading.packet.isV5 {
      reading.text.key("noLocal")
      reading.text.write(boolean: options & 4 != 0)
      reading.text.key("retainAsPublished")
      reading.text.write(boolean: options & 8 != 0)
      reading.text.key("retainHandling")
      reading.text.write(number: Int(options >> 4 & 3))
    }
    checkOptions(options, bytes[range], &reading)
    checkFilter(bytes[range], &reading)
  }

  /// Reads a filter; returns its ranges in the packet and in the JSON.
  private static func decodeFilter(
    _ bytes: RawSpan, _ reading: inout MQTTReading
  ) -> (range: ByteRange, shown: ByteRange)? {
    guard let range = reading.cursor.prefixed(bytes, "a topic filter") else {
      reading.text.json.append("null")
      return nil
    }
    return (range, reading.write(string: bytes[range], "the topic filter"))
  }

  /// One filter is the subject; several are a list on the line.
  private static func noteFilters(_ bytes: RawSpan, _ reading: inout MQTTReading) {
    if reading.filters.count == 1 {
      reading.text.shown.subject = reading.filters[0].shown
      if MQTTTopic.isPattern(bytes[reading.filters[0].range]) {
        reading.text.shown.traits.insert(.isPattern)
      }
    } else {
      for one in reading.filters { reading.text.shown.note("filters", one.shown) }
    }
    for one in reading.filters { reading.text.shown.note("QoS", one.shownQoS) }
  }

  private static func checkOptions(
    _ options: UInt8, _ filter: RawSpan, _ reading: inout MQTTReading
  ) {
    let rule = MQTTRule("3.8.3-4", "3.8.3-5")
    func fault(_ text: String, _ rule: MQTTRule = .none) {
      reading.fault(.mqttReservedBits, .error, text, rule)
    }
    if options & 3 == 3 {
      fault("the subscription asks for QoS 3", MQTTRule("3.8.3-4", ""))
    }
    guard reading.packet.isV5 else {
      if options & 0xFC != 0 {
        let bits = MQTTFault.bits(options >> 2, 6)
        fault("bits 7 to 2 of the requested QoS are \(bits), and must be 0", rule)
      }
      return
    }
    if options & 0xC0 != 0 {
      let bits = MQTTFault.bits(options >> 6, 2)
      fault("bits 7 and 6 of the subscription options are \(bits), and must be 0", rule)
    }
    if options >> 4 & 3 == 3 { fault("retain handling is 3, which does not exist") }
    if options & 4 != 0 && filter.starts(with: "$share/") {
      reading.fault(
        .mqttShareNoLocal, .error,
        "No Local is set for the shared subscription “\(MQTTFault.quoted(filter))”",
        MQTTRule("", "3.8.3-4"))
    }
  }

  /// MQTT 5.0 §4.7.1, §4.8.2.
  private static func checkFilter(_ filter: RawSpan, _ reading: inout MQTTReading) {
    if filter.byteCount == 0 {
      return reading.fault(
        .mqttFilterInvalid, .error, "the topic filter is empty", MQTTRule("4.7.3-1"))
    }
    guard let problem = MQTTTopic.problem(ofFilter: filter) else { return }
    reading.fault(
      .mqttFilterInvalid, .error,
      "the topic filter “\(MQTTFault.quoted(filter))” \(problem.words)", problem.rule)
  }
}
