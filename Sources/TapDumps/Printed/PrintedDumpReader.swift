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
  private var conversations: PrintedConversations

  init(_ place: Place, _ limits: Limits) {
    (self.place, self.limits) = (place, limits)
    conversations = PrintedConversations(place, limits, title: "tcpdump -A")
  }

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
    let printed = conversations.finish(sink)
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
    conversations.receive(head, payload, origin, sink)
    text.removeAll(keepingCapacity: text.capacity < 1 << 20)
  }
}
