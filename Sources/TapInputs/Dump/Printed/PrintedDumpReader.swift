// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Puts the lines of a dump together that prints packets as text: the line above each packet, its
/// octets, and the connection it belongs to.
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
  private var talks: [[UInt8]: PrintedTalk] = [:]
  private var (flows, number): (UInt32, Int) = (0, 0)
  private var held = 0
  private var sink: PrintedSink?

  init(_ place: Place, _ limits: Limits) { (self.place, self.limits) = (place, limits) }

  /// - Parameters:
  ///   - line: without its end.
  ///   - offset: of the line.
  mutating func take(_ line: ArraySlice<UInt8>, at offset: UInt64, _ floor: any Floor) {
    if head?.goesOn == true, let second = PrintedHead(second: line) {
      var whole = second
      whole.time = head?.time
      (head, mayBeDecoded) = (whole, true)
      return
    }
    if line.count <= PrintedHead.longest, let next = PrintedHead(line) {
      endPacket(floor)
      packets += 1
      (head, mayBeDecoded) = (next, next.isVerbose)
      origin = place.origin(offset, record: packets)
      if let time = next.time {
        origin.time = clock.read(time.instant, time.certainty, place, floor)
        origin.precision = time.precision
      }
      return
    }
    if mayBeDecoded {
      if line.first == 0x09 { return }
      mayBeDecoded = false
    }
    guard head?.length != nil, text.count < limits.packetBytes else { return }
    text += line
    text.append(0x0A)
  }

  mutating func finish(_ floor: any Floor) {
    endPacket(floor)
    var sink = self.sink ?? PrintedSink(place, limits, floor)
    for var talk in talks.values.sorted(by: { $0.number < $1.number }) { talk.finish(&sink) }
    talks.removeAll()
    if sink.unread > 0 { sink.tellDots() }
    let rest = sink.unread > 0 ? "; \(counted(sink.unread, "byte")) cannot be read" : ""
    floor.recognised(
      "tcpdump -A dump, \(counted(packets, "packet")), \(counted(sink.messages, "message"))\(rest)",
      place.origin(0))
  }

  /// The packet is whole.
  private mutating func endPacket(_ floor: any Floor) {
    mayBeDecoded = false
    guard let head = self.head, let length = head.length else { return text.removeAll() }
    self.head = nil
    // What tcpdump prints behind the packet.
    if text.last == 0x0A { text.removeLast() }
    let payload = PrintedPacket.payload(text[...], length: length)
    var sink = self.sink ?? PrintedSink(place, limits, floor)
    let key = Self.key(head.source, head.destination)
    if head.isSyn && !head.hasAcknowledgment, var before = talks.removeValue(forKey: key) {
      held -= before.held
      before.finish(&sink)
    }
    var talk = talks.removeValue(forKey: key) ?? open(head, &sink)
    held -= talk.held
    talk.receive(head, payload, origin, &sink)
    if held + talk.held > limits.printedBytes { talk.drop(&sink) }
    held += talk.held
    talks[key] = talk
    self.sink = sink
    text.removeAll(keepingCapacity: text.capacity < 1 << 20)
  }

  private mutating func open(_ head: PrintedHead, _ sink: inout PrintedSink) -> PrintedTalk {
    if talks.count >= limits.connections { evict(&sink) }
    flows &+= 1
    number += 1
    return PrintedTalk(flows, number, from: head.source, to: head.destination, origin)
  }

  /// Those that said nothing for the longest time end for us, an eighth at once.
  private mutating func evict(_ sink: inout PrintedSink) {
    let byAge = talks.sorted { $0.value.last.record < $1.value.last.record }
    for (key, talk) in byAge.prefix(max(1, byAge.count / 8)) {
      var talk = talk
      held -= talk.held
      talk.finish(&sink)
      talks[key] = nil
    }
  }

  /// The same for both directions.
  private static func key(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    let isFirst = one.lexicographicallyPrecedes(other)
    return isFirst ? one + [0x20] + other : other + [0x20] + one
  }
}
