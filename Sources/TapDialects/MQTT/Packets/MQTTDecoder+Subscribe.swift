// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// SUBSCRIBE, UNSUBSCRIBE and their answers (MQTT 5.0 §3.8 to §3.11).
extension MQTTDecoder {
  mutating func subscribe(_ type: MQTTType, _ bytes: RawSpan) {
    if packet.isV5 {
      readProperties(bytes, in: MQTTTypes([type]))
      writeProperties(bytes)
      guard packet.isWhole else { return }
    }
    key(type == .subscribe ? "subscriptions" : "topicFilters")
    open(UInt8(ascii: "["))
    var isFirst = true
    while at < bytes.byteCount && packet.isWhole {
      if filters.count == most {
        fault(
          .mqttTooManyFilters, .warning,
          "it has more than \(most) filters: the rest is not read")
        packet.isWhole = false
        break
      }
      if !isFirst { text.append(byte: UInt8(ascii: ",")) }
      isFirst = false
      if type == .subscribe { subscription(bytes) } else { filter(bytes) }
    }
    close(UInt8(ascii: "]"))
    if filters.isEmpty && packet.isWhole {
      fault(
        .mqttFilterListEmpty, .error, "\(type.name) has no filter",
        type == .subscribe ? MQTTRule("3.8.3-3", "3.8.3-2") : MQTTRule("3.10.3-2"))
    }
    noteFilters(bytes, type)
  }

  private mutating func subscription(_ bytes: RawSpan) {
    open()
    defer { close() }
    key("topicFilter")
    guard let range = prefixed(bytes, "a topic filter") else { return text.append("null") }
    let shown = write(string: bytes[range], "the topic filter")
    guard let options = uint8(bytes, "the subscription options") else { return }
    key("qos")
    let qos = write(number: Int(options & 3))
    filters.append(MQTTFilter(range: range, options: options, shown: shown, shownQoS: qos))
    if packet.isV5 {
      key("noLocal")
      write(boolean: options & 4 != 0)
      key("retainAsPublished")
      write(boolean: options & 8 != 0)
      key("retainHandling")
      write(number: Int(options >> 4 & 3))
    }
    checkOptions(options, bytes[range])
    checkFilter(bytes[range])
  }

  private mutating func filter(_ bytes: RawSpan) {
    guard let range = prefixed(bytes, "a topic filter") else { return text.append("null") }
    let shown = write(string: bytes[range], "the topic filter")
    filters.append(MQTTFilter(range: range, options: 0, shown: shown, shownQoS: ByteRange()))
    checkFilter(bytes[range])
  }

  /// One filter is the subject; several are a list on the line.
  private mutating func noteFilters(_ bytes: RawSpan, _ type: MQTTType) {
    if filters.count == 1 {
      subject = filters[0].shown
      if MQTTTopic.isPattern(bytes[filters[0].range]) { traits.insert(.isPattern) }
    } else {
      for one in filters { note("filters", one.shown) }
    }
    for one in filters { note("QoS", one.shownQoS) }
  }

  private mutating func checkOptions(_ options: UInt8, _ filter: RawSpan) {
    let rule = MQTTRule("3.8.3-4", "3.8.3-5")
    if options & 3 == 3 {
      fault(.mqttReservedBits, .error, "the subscription asks for QoS 3", MQTTRule("3.8.3-4", ""))
    }
    if packet.isV5 {
      if options & 0xC0 != 0 {
        fault(
          .mqttReservedBits, .error,
          "bits 7 and 6 of the subscription options are \(Self.bits(options >> 6, 2)),"
            + " and must be 0", rule)
      }
      if options >> 4 & 3 == 3 {
        fault(.mqttReservedBits, .error, "retain handling is 3, which does not exist")
      }
      if options & 4 != 0 && filter.starts(with: "$share/") {
        fault(
          .mqttShareNoLocal, .error,
          "No Local is set for the shared subscription"
            + " “\(Self.quoted(filter))”", MQTTRule("", "3.8.3-4"))
      }
    } else if options & 0xFC != 0 {
      fault(
        .mqttReservedBits, .error,
        "bits 7 to 2 of the requested QoS are \(Self.bits(options >> 2, 6)), and must be 0", rule)
    }
  }

  /// MQTT 5.0 §4.7.1, §4.8.2.
  private mutating func checkFilter(_ filter: RawSpan) {
    if filter.byteCount == 0 {
      return fault(
        .mqttFilterInvalid, .error, "the topic filter is empty", MQTTRule("4.7.3-1"))
    }
    guard let problem = MQTTTopic.problem(ofFilter: filter) else { return }
    fault(
      .mqttFilterInvalid, .error, "the topic filter “\(Self.quoted(filter))” \(problem.words)",
      problem.rule)
  }

  mutating func suback(_ type: MQTTType, _ bytes: RawSpan) {
    if packet.isV5 {
      readProperties(bytes, in: MQTTTypes([type]))
      writeProperties(bytes)
      guard packet.isWhole else { return }
    } else if type == .unsuback {
      return
    }
    packet.codes = ByteRange(at, bytes.byteCount)
    key("reasonCodes")
    text.append(byte: UInt8(ascii: "["))
    let isFirst = at
    while at < bytes.byteCount {
      if at > isFirst { text.append(byte: UInt8(ascii: ",")) }
      let code = bytes.byte(at: at)
      let range = write(number: Int(code))
      let name = reasonName(code, type) ?? "code"
      note(type == .suback && code < 3 ? "granted QoS" : name, range)
      if code >= 0x80 {
        traits.insert(.isFailure)
        packet.reason = code
      }
      at += 1
    }
    close(UInt8(ascii: "]"))
    if packet.codes.isEmpty {
      fault(
        .mqttSubackLength, .error, "\(type.name) has no code",
        MQTTRule("3.9.3-1", type == .suback ? "3.9.3-1" : "3.11.3-1"))
    }
  }
}
