// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Where the connections of a printed dump report what they have: says once what such a dump lacks,
/// and counts.
struct PrintedSink {
  let place: Place
  let limits: Limits
  let sink: any EvidenceSink
  let recogniser: any TextRecogniser
  /// What prints dots.
  var title = "tcpdump -A"
  private(set) var messages: UInt64 = 0
  private(set) var unread: UInt64 = 0
  /// The part of these that is of no connection that was reported.
  private var strays: UInt64 = 0
  private var hasReportedDots = false

  init(_ place: Place, _ limits: Limits, _ sink: any EvidenceSink) {
    (self.place, self.limits, self.sink) = (place, limits, sink)
    recogniser = place.choice.recogniser()
  }

  private func origin(_ flow: UInt32, _ direction: Direction, _ origin: Origin) -> Origin {
    var placed = origin
    (placed.flow, placed.direction) = (flow, direction)
    return placed
  }

  mutating func reportDots() {
    if hasReportedDots { return }
    hasReportedDots = true
    sink.finding(
      .dumpDots, .warning, place.origin(0),
      "\(title) shows bytes that are no ASCII as dots: what clients of WebSocket send, and what"
        + " is compressed or binary, cannot be read")
  }

  /// Reports what nothing was said of so far: bytes of connections without a message.
  mutating func reportStrays() {
    if strays == 0 { return }
    reportDots()
    var finding = Finding(
      .dumpUnread, .warning, place.origin(0),
      "\(counted(strays, "byte")) of \(title) cannot be read, and no message is among them")
    finding.lostBytes = strays
    sink.finding(finding)
  }

  mutating func open(_ flow: UInt32, _ opening: Opening, _ found: Origin) {
    reportDots()
    sink.opened(opening, Delivery(origin(flow, .toServer, found)))
    // What cannot be read is missing on both sides.
    gap(flow, .toServer, found)
    gap(flow, .toClient, found)
  }

  func gap(_ flow: UInt32, _ direction: Direction, _ found: Origin) {
    sink.gap(nil, Delivery(origin(flow, direction, found)))
  }

  mutating func report(
    _ flow: UInt32, _ text: [UInt8], unknown: Int, certain: Int, _ direction: Direction,
    _ found: Origin
  ) {
    messages += 1
    var delivery = Delivery(
      origin(flow, direction, found), unknown > 0 ? .dottedText : .text)
    delivery.certainBytes = UInt32(clamping: certain)
    sink.message(text.span.bytes, delivery)
    if unknown == 0 { return }
    sink.finding(
      .dumpBytesUnknown, .note, delivery.origin,
      "\(unknown) bytes of this message are dots in the dump, and stand as “·”",
      isAboutLastMessage: true)
  }

  mutating func end(_ flow: UInt32, isOpen: Bool, unread: Int, _ last: Origin) {
    self.unread += UInt64(max(unread, 0))
    guard isOpen else { return strays += UInt64(max(unread, 0)) }
    if unread > 0 {
      var finding = Finding(
        .dumpUnread, .warning, origin(flow, .unknown, last),
        "\(counted(unread, "byte")) of this connection cannot be read from the dump")
      finding.lostBytes = UInt64(unread)
      sink.finding(finding)
    }
    sink.closed(Closing(isUnfinished: true), Delivery(origin(flow, .unknown, last)))
  }
}
