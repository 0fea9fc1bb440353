// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Puts the lines of a dump together that prints packets as text: the line above each packet, its
/// bytes, and the connection it belongs to.
struct PrintedDumpReader {
  private let place: Place
  private let limits: Limits
  private var clock = DumpClock()
  /// The packet whose text comes; nil before the first, and for what is none of TCP.
  private var head: PrintedHead?
  private var origin = Origin()
  private var text: [UInt8] = []
  /// Lines that tcpdump -v makes of what it understands stand before the text.
  private var mayBeDecoded = false
  private var packets: UInt64 = 0
  private var talks: [[UInt8]: PrintedConversation] = [:]
  private var (flows, number): (UInt32, Int) = (0, 0)
  private var held = 0
  private var printed: PrintedSink?

  init(_ place: Place, _ limits: Limits) { (self.place, self.limits) = (place, limits) }

  /// - Parameters:
  ///   - line: without its end.
  ///   - offset: of the line.
  mutating func take(_ line: ArraySlice<UInt8>, at offset: UInt64, _ sink: any EvidenceSink) {
    if head?.goesOn == true, let second = PrintedHead(second: line) {
      var whole = second
      whole.time = head?.time
      (head, mayBeDecoded) = (whole, true)
      return
    }
    if line.count <= PrintedHead.longest, let next = PrintedHead(line) {
      endPacket(sink)
      packets += 1
      (head, mayBeDecoded) = (next, next.isVerbose)
      origin = place.origin(offset, record: packets)
      if let time = next.time {
        origin.time = clock.read(time.instant, time.certainty, place, sink)
        origin.precision = time.precision
      }
      return
    }
    if mayBeDecoded {
      if line.first == .tab { return }
      mayBeDecoded = false
    }
    guard head?.length != nil, text.count < limits.packetBytes else { return }
    text += line
    text.append(.lineFeed)
  }

  mutating func finish(_ sink: any EvidenceSink) {
    endPacket(sink)
    var printed = self.printed ?? PrintedSink(place, limits, sink)
    for var talk in talks.values.sorted(by: { $0.number < $1.number }) { talk.finish(&printed) }
    talks.removeAll()
    if printed.unread > 0 { printed.reportDots() }
    let rest = printed.unread > 0 ? "; \(counted(printed.unread, "byte")) cannot be read" : ""
    let words =
      "tcpdump -A dump, \(counted(packets, "packet")), "
      + "\(counted(printed.messages, "message"))\(rest)"
    sink.recognised(InputVerdict(words), place.origin(0))
  }

  /// The packet is whole.
  private mutating func endPacket(_ sink: any EvidenceSink) {
    mayBeDecoded = false
    guard let head = self.head, let length = head.length else { return text.removeAll() }
    self.head = nil
    // What tcpdump prints behind the packet.
    if text.last == .lineFeed { text.removeLast() }
    let payload = PrintedPacket.payload(text[...], length: length)
    var printed = self.printed ?? PrintedSink(place, limits, sink)
    let key = Self.key(head.source, head.destination)
    if head.isSyn && !head.hasAcknowledgment, var before = talks.removeValue(forKey: key) {
      held -= before.held
      before.finish(&printed)
    }
    var talk = talks.removeValue(forKey: key) ?? open(head, &printed)
    held -= talk.held
    talk.receive(head, payload, origin, &printed)
    if held + talk.held > limits.printedBytes { talk.drop(&printed) }
    held += talk.held
    talks[key] = talk
    self.printed = printed
    text.removeAll(keepingCapacity: text.capacity < 1 << 20)
  }

  private mutating func open(_ head: PrintedHead, _ printed: inout PrintedSink)
    -> PrintedConversation
  {
    if talks.count >= limits.connections { evict(&printed) }
    flows &+= 1
    number += 1
    return PrintedConversation(flows, number, from: head.source, to: head.destination, origin)
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
  private static func key(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    let isFirst = one.lexicographicallyPrecedes(other)
    return isFirst ? one + [.space] + other : other + [.space] + one
  }
}
