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
    /// It was refused, has ended, or is there again.
    var isOver = false
    /// Where the same filter stands before it; nil for none.
    var before: Int?
  }

  /// In the order of SUBSCRIBE.
  private var all: ContiguousArray<Subscription> = []
  /// Where a filter stands last in `all`, by its fingerprint.
  private var places = IDTable<Int>(minimumCapacity: 1)
  /// Where filters stand that match other topics than the one they spell.
  private var patterns: ContiguousArray<Int> = []
  /// Filters that were unsubscribed.
  private var ended: Set<[UInt8]> = []
  /// The limit of filters was exceeded, or a SUBACK came whose SUBSCRIBE was not seen.
  private(set) var areIncomplete = false
  /// The limit of watched filters.
  private let most: Int

  init(limits: Limits) { most = limits.mqttSubscriptions }

  var isEmpty: Bool { all.isEmpty }
  var indices: Range<Int> { all.indices }

  func filter(at index: Int) -> [UInt8] { all[index].filter }

  // MARK: - Places

  private mutating func append(_ new: Subscription) {
    var one = new
    let filter = new.filter.span.bytes
    let key = WideKey(0, filter.fingerprint)
    one.before = places[key]
    places[key] = all.count
    if !MQTTTopic.isExact(filter) { patterns.append(all.count) }
    all.append(one)
  }

  /// Removes those that are over, but for their SUBACK.
  private mutating func removeOver() {
    if !all.contains(where: { $0.isOver && $0.pending == 0 }) { return }
    let left = all.filter { !$0.isOver || $0.pending != 0 }
    all.removeAll(keepingCapacity: true)
    places.removeAll()
    patterns.removeAll(keepingCapacity: true)
    for one in left { append(one) }
  }

  /// Adds where a filter stands, the last one first.
  private func find(_ filter: RawSpan, _ found: inout ContiguousArray<Int>) {
    var next = places[WideKey(0, filter.fingerprint)]
    while let place = next {
      let copy = all[place].filter
      if copy.span.bytes.equals(filter) { found.append(place) }
      next = all[place].before
    }
  }

  private func places(of filter: RawSpan) -> ContiguousArray<Int> {
    var found: ContiguousArray<Int> = []
    find(filter, &found)
    return found
  }

  /// Finds where the filters stand that a message matches; it may be delivered before SUBACK.
  func find(matching topic: RawSpan, _ found: inout ContiguousArray<Int>) {
    found.removeAll(keepingCapacity: true)
    // What the topic spells may be a pattern, as `$queue/a` is.
    if MQTTTopic.isExact(topic) { find(topic, &found) }
    for place in patterns {
      let filter = all[place].filter
      if MQTTTopic.matches(filter.span.bytes, topic) { found.append(place) }
    }
    if found.count > 1 { found.sort() }
  }

  /// A filter that was unsubscribed, and that a message matches.
  func firstEnded(matching topic: RawSpan) -> [UInt8]? {
    var first: [UInt8]?
    // A set has another order in each run.
    for filter in ended where MQTTTopic.matches(filter.span.bytes, topic) {
      if first.map({ filter.lexicographicallyPrecedes($0) }) ?? true { first = filter }
    }
    return first
  }

  // MARK: - Packets

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
      append(Subscription(filter: bytes[one.range].copied(), qos: one.qos, pending: id))
    }
  }

  /// SUBACK of a SUBSCRIBE that was not seen.
  mutating func grantUnseen() { areIncomplete = true }

  /// UNSUBSCRIBE. What the server holds for these filters may still be delivered (§3.10.4).
  mutating func ask(
    toEnd filters: borrowing ContiguousArray<MQTTFilter>, with id: UInt16, _ bytes: RawSpan
  ) {
    for index in filters.indices {
      for place in places(of: bytes[filters[index].range]) { all[place].ending = id }
    }
  }

  /// UNSUBACK.
  mutating func end(_ packet: MQTTPacket) {
    guard let id = packet.id, id != 0 else { return }
    // One that refuses a filter may be of any of them.
    let isRefused = packet.isV5 && packet.reason >= 0x80
    for place in all.indices where all[place].ending == id {
      if isRefused {
        all[place].ending = 0
        continue
      }
      all[place].isOver = true
      if ended.count < most { ended.insert(all[place].filter) } else { areIncomplete = true }
    }
    removeOver()
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
        all[index].isOver = true
        continue
      }
      if code < all[index].qos {
        context.report(
          .mqttQoSDowngraded, .note, origin,
          "“\(filter)” was granted QoS \(code), and QoS \(all[index].qos) was asked",
          MQTTRule("3.8.4-6", "3.8.4-8"), listener)
      }
      // It replaces the same one of before.
      for other in places(of: copy.span.bytes) where other < index && all[other].pending == 0 {
        all[other].isOver = true
      }
    }
    removeOver()
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
