// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The filters of one session: granted ones, and those that wait for SUBACK.
struct MQTTSubscriptions {
  private struct Subscription {
    let filter: [UInt8]
    /// The key of its place.
    let key: WideKey
    /// It matches other topics than the one it spells.
    let isPattern: Bool
    let qos: UInt8
    /// The best QoS that it was granted, since the filter is there.
    var granted: UInt8 = 0
    /// The identifier of the SUBSCRIBE that waits for SUBACK; 0 when granted.
    var pending: UInt16
    /// The identifier of the UNSUBSCRIBE that waits for UNSUBACK; 0 for none.
    var ending: UInt16 = 0
    /// It was refused, has ended, or is there again.
    var isOver = false
    /// Where the same filter stands before it; nil for none.
    var before: Int?

    init(_ filter: RawSpan, qos: UInt8, pending: UInt16) {
      (self.filter, self.qos, self.pending) = (filter.copied(), qos, pending)
      (key, isPattern) = (WideKey(0, filter.fingerprint), !MQTTTopic.isExact(filter))
    }
  }

  /// In the order of SUBSCRIBE.
  private var all: ContiguousArray<Subscription> = []
  /// Where a filter stands last in `all`, by its fingerprint.
  private var places = IDTable<Int>(minimumCapacity: 1)
  /// Where filters stand that are patterns.
  private var patterns: ContiguousArray<Int> = []
  /// Filters that were unsubscribed, each with the time of UNSUBACK.
  private var ended: [[UInt8]: Instant] = [:]
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
    one.before = places[one.key]
    places[one.key] = all.count
    if one.isPattern { patterns.append(all.count) }
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

  /// The best QoS that filters were granted, by where they stand; 2 while an answer is awaited.
  func bestQoS(of found: borrowing ContiguousArray<Int>) -> UInt8 {
    var best: UInt8 = 0
    for index in found.indices {
      let one = found[index]
      best = max(best, all[one].pending == 0 ? all[one].granted : 2)
    }
    return best
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

  /// The filter that was unsubscribed last, of those that a message matches.
  func lastEnded(matching topic: RawSpan) -> (filter: [UInt8], time: Instant)? {
    var last: (filter: [UInt8], time: Instant)?
    for (filter, time) in ended where MQTTTopic.matches(filter.span.bytes, topic) {
      // A dictionary has another order in each run.
      let isLater = last.map {
        $0.time == time ? filter.lexicographicallyPrecedes($0.filter) : $0.time < time
      }
      if isLater ?? true { last = (filter, time) }
    }
    return last
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
      append(Subscription(bytes[one.range], qos: one.qos, pending: id))
    }
  }

  /// SUBACK of a SUBSCRIBE that was not seen.
  mutating func grantUnseen() { areIncomplete = true }

  /// UNSUBSCRIBE. What the server holds for these filters may still be delivered (§3.10.4).
  mutating func ask(
    toEnd filters: borrowing ContiguousArray<MQTTFilter>, with id: UInt16, _ bytes: RawSpan
  ) {
    var found: ContiguousArray<Int> = []
    for index in filters.indices {
      found.removeAll(keepingCapacity: true)
      find(bytes[filters[index].range], &found)
      for place in found { all[place].ending = id }
    }
  }

  /// UNSUBACK.
  mutating func end(_ packet: MQTTPacket, at time: Instant) {
    guard let id = packet.id, id != 0 else { return }
    // One that refuses a filter may be of any of them.
    let isRefused = packet.isV5 && packet.reason >= 0x80
    for place in all.indices where all[place].ending == id {
      if isRefused {
        all[place].ending = 0
        continue
      }
      all[place].isOver = true
      if ended.count < most { ended[all[place].filter] = time } else { areIncomplete = true }
    }
    removeOver()
  }

  /// SUBACK: each code belongs to the filter in its place.
  mutating func grant(
    _ packet: MQTTPacket, _ bytes: RawSpan, _ origin: Origin, _ context: MQTTSessionContext,
    _ listener: any Listener
  ) {
    guard let id = packet.id, id != 0 else { return }
    let codes = bytes[packet.codes]
    var place = 0
    for index in all.indices where all[index].pending == id {
      let code = place < codes.byteCount ? codes.byte(at: place) : 0
      place += 1
      all[index].granted = code
      let one = all[index]
      if code >= 0x80 {
        let name = packet.isV5 ? MQTTReason.name(code).map { ": \($0)" } ?? "" : ""
        context.report(
          .mqttSubscribeRefused, .warning, origin,
          "“\(MQTTFault.quoted(one.filter.span.bytes))” was refused by the server\(name)"
            + packet.reasonString(in: bytes),
          MQTTRule("3.8.4-5", "3.8.4-6"), listener)
        all[index].isOver = true
      } else if code < one.qos {
        context.report(
          .mqttQoSDowngraded, .note, origin,
          "“\(MQTTFault.quoted(one.filter.span.bytes))” was granted QoS \(code), and QoS"
            + " \(one.qos) was asked",
          MQTTRule("3.8.4-6", "3.8.4-8"), listener)
      }
    }
    settle(id)
    removeOver()
  }

  /// What a SUBACK has granted replaces the same filters of before. The last one comes first: those
  /// that it replaces replace nothing more.
  private mutating func settle(_ id: UInt16) {
    for index in all.indices.reversed() where all[index].pending == id {
      all[index].pending = 0
      if all[index].isOver { continue }
      let filter = all[index].filter
      var next = all[index].before
      while let place = next {
        let isAnswered = all[place].pending == 0 || all[place].pending == id
        if isAnswered && all[place].filter == filter {
          all[place].isOver = true
          all[index].granted = max(all[index].granted, all[place].granted)
        }
        next = all[place].before
      }
    }
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
