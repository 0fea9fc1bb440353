// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// The TCP connections of a text that shows bytes as dots, by the names of their ends.
struct PrintedConversations {
  private let place: Place
  private let limits: Limits
  private let title: String
  private var talks: [[UInt8]: PrintedConversation] = [:]
  private var (flows, number): (UInt32, Int) = (0, 0)
  private var held = 0
  private var printed: PrintedSink?

  /// - Parameter title: what prints dots.
  init(_ place: Place, _ limits: Limits, title: String) {
    (self.place, self.limits, self.title) = (place, limits, title)
  }

  /// A packet of tcpdump.
  ///
  /// - Parameter payload: nil where it cannot be found.
  mutating func receive(
    _ head: PrintedHead, _ payload: ArraySlice<UInt8>?, _ origin: Origin, _ sink: any EvidenceSink
  ) {
    var printed = printed(sink)
    let key = Self.key(head.source, head.destination)
    if head.isSyn && !head.hasAcknowledgment, var before = talks.removeValue(forKey: key) {
      held -= before.held
      before.finish(&printed)
    }
    with(head.source, head.destination, origin, &printed) { talk, printed in
      talk.receive(head, payload, origin, &printed)
    }
  }

  /// A payload.
  ///
  /// - Parameter count: bytes that were sent.
  mutating func receive(
    _ head: PayloadHead, _ payload: [UInt8], _ count: Int, _ origin: Origin,
    _ sink: any EvidenceSink
  ) {
    var printed = printed(sink)
    with(head.source, head.destination, origin, &printed) { talk, printed in
      let isUp = head.source == talk.names.client
      talk.receive(payload[...], nil, count, origin, isUp: isUp, &printed)
    }
  }

  /// How many messages there were, and how many bytes could not be read.
  mutating func finish(_ sink: any EvidenceSink) -> (messages: UInt64, unread: UInt64) {
    var printed = printed(sink)
    for var talk in talks.values.sorted(by: { $0.number < $1.number }) { talk.finish(&printed) }
    talks.removeAll()
    printed.reportStrays()
    return (printed.messages, printed.unread)
  }

  private func printed(_ sink: any EvidenceSink) -> PrintedSink {
    var printed = self.printed ?? PrintedSink(place, limits, sink)
    printed.title = title
    return printed
  }

  private mutating func with(
    _ source: [UInt8], _ destination: [UInt8], _ origin: Origin, _ printed: inout PrintedSink,
    _ receive: (inout PrintedConversation, inout PrintedSink) -> Void
  ) {
    let key = Self.key(source, destination)
    var talk =
      talks.removeValue(forKey: key) ?? open(from: source, to: destination, origin, &printed)
    held -= talk.held
    receive(&talk, &printed)
    if held + talk.held > limits.printedBytes { talk.drop(&printed) }
    held += talk.held
    talks[key] = talk
    self.printed = printed
  }

  private mutating func open(
    from source: [UInt8], to destination: [UInt8], _ origin: Origin, _ printed: inout PrintedSink
  ) -> PrintedConversation {
    if talks.count >= limits.connections { evict(&printed) }
    flows &+= 1
    number += 1
    return PrintedConversation(flows, number, from: source, to: destination, origin)
  }

  /// Ends the connections that said nothing for the longest time, an eighth at once.
  private mutating func evict(_ printed: inout PrintedSink) {
    let byAge = talks.sorted { $0.value.last.record < $1.value.last.record }
    for (key, talk) in byAge.prefix(max(1, byAge.count / 8)) {
      var talk = talk
      held -= talk.held
      talk.finish(&printed)
      talks[key] = nil
    }
  }

  /// The same for both directions.
  static func key(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    let isFirst = one.lexicographicallyPrecedes(other)
    return isFirst ? one + [.space] + other : other + [.space] + one
  }
}
