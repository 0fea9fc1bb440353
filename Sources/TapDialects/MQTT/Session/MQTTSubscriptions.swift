// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The filters of one session: granted ones, and those that wait for SUBACK.
struct MQTTSubscriptions {
  private struct Subscription {
    var filter: [UInt8]
    var qos: UInt8
    /// The identifier of the SUBSCRIBE that waits for SUBACK; 0 when granted.
    var pending: UInt16
    /// The identifier of the UNSUBSCRIBE that waits for UNSUBACK; 0 for none.
    var ending: UInt16 = 0
  }

  private var all: ContiguousArray<Subscription> = []
  /// The limit of filters was exceeded, or a SUBACK came whose SUBSCRIBE was not seen.
  private(set) var areIncomplete = false
  /// The limit of watched filters.
  private let most: Int

  init(limits: Limits) { most = limits.mqttSubscriptions }

  var isEmpty: Bool { all.isEmpty }
  var indices: Range<Int> { all.indices }

  func filter(at index: Int) -> [UInt8] { all[index].filter }

  /// SUBSCRIBE.
  mutating func ask(
    _ id: UInt16, for filters: borrowing ContiguousArray<MQTTFilter>, _ bytes: RawSpan
  ) {
    for index in filters.indices {
      if all.count >= most {
        areIncomplete = true
        return
      }
      let one = filters[index]
      all.append(
        Subscription(filter: bytes[one.range].copied(), qos: one.qos, pending: id))
    }
  }

  /// SUBACK of a SUBSCRIBE that was not seen.
  mutating func grantUnseen() { areIncomplete = true }

  /// UNSUBSCRIBE. What the server holds for these filters may still be delivered (§3.10.4).
  mutating func ask(
    toEnd filters: borrowing ContiguousArray<MQTTFilter>, with id: UInt16, _ bytes: RawSpan
  ) {
    for index in filters.indices {
      let filter = bytes[filters[index].range]
      for place in all.indices where all[place].pending == 0 {
        let granted = all[place].filter
        if granted.span.bytes.equals(filter) { all[place].ending = id }
      }
    }
  }

  /// UNSUBACK.
  mutating func end(_ packet: MQTTPacket) {
    // One that refuses a filter may be of any of them.
    let isRefused = packet.isV5 && packet.reason >= 0x80
    for place in all.indices where all[place].ending == packet.id && isRefused {
      all[place].ending = 0
    }
    all.removeAll { $0.ending != 0 && $0.ending == packet.id }
  }

  /// SUBACK: each code belongs to the filter in its place.
  mutating func grant(
    _ packet: MQTTPacket, _ bytes: RawSpan, _ origin: Origin, _ context: MQTTSessionContext,
    _ listener: any Listener
  ) {
    let codes = bytes[packet.codes]
    var place = 0
    for index in all.indices where all[index].pending == packet.id {
      let code = place < codes.byteCount ? codes.byte(at: place) : 0
      place += 1
      let copy = all[index].filter
      let filter = MQTTFault.quoted(copy.span.bytes)
      all[index].pending = 0
      if code >= 0x80 {
        let name = packet.isV5 ? MQTTReason.name(code).map { ": \($0)" } ?? "" : ""
        context.report(
          .mqttSubscribeRefused, .warning, origin,
          "“\(filter)” was refused by the server\(name)\(packet.reasonString(in: bytes))",
          MQTTRule("3.8.4-5", "3.8.4-6"), listener)
        all[index].filter = []
      } else if code < all[index].qos {
        context.report(
          .mqttQoSDowngraded, .note, origin,
          "“\(filter)” was granted QoS \(code), and QoS \(all[index].qos) was asked",
          MQTTRule("3.8.4-6", "3.8.4-8"), listener)
      }
    }
    removeRepeated()
  }

  /// A repeated subscription replaces the old one.
  private mutating func removeRepeated() {
    all.removeAll { $0.filter.isEmpty }
    guard all.count > 1, let last = all.last else { return }
    var isFirst = true
    var kept = ContiguousArray<Subscription>()
    for one in all.reversed() {
      if one.filter == last.filter && one.pending == 0 {
        if !isFirst { continue }
        isFirst = false
      }
      kept.append(one)
    }
    if kept.count < all.count { all = ContiguousArray(kept.reversed()) }
  }

  /// Whether a message may be delivered to the session, possibly before SUBACK.
  func matches(_ topic: RawSpan) -> Bool {
    for one in all where MQTTTopic.matches(one.filter.span.bytes, topic) { return true }
    return false
  }

  /// Called before a SUBACK is reported: the filters that it answers are its subject.
  func reportSubject(_ id: UInt16, _ listener: any Listener) {
    if all.count < 2 { return }
    var text = Scratch()
    var count = 0
    for one in all where one.pending == id {
      if count > 0 { text.append(", ") }
      text.append(one.filter.span.bytes)
      count += 1
    }
    if count > 1 && text.count < 4096 { listener.subject(text.bytes) }
  }

  /// Reports the subscriptions that end with the session.
  func reportLeft(_ origin: Origin, _ listener: any Listener) {
    for one in all where one.pending == 0 && one.ending == 0 {
      listener.finding(
        .mqttSubscriptionLeft, .note, origin,
        "“\(MQTTFault.quoted(one.filter.span.bytes))” was never unsubscribed: it ends with"
          + " the session")
    }
  }
}
