// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// The TCP connections of a dump in digits: each two streams of bytes, in the order in which they
/// were printed.
struct PayloadStreams {
  private struct Stream {
    let flow: UInt32
    /// Who spoke first.
    let client: [UInt8]
    var offsets: (up: UInt64, down: UInt64) = (0, 0)
    var last: Origin
  }

  private let limits: Limits
  private let writer: String
  private var streams: [[UInt8]: Stream] = [:]
  private var flows: UInt32 = 0

  init(_ limits: Limits, writer: String) { (self.limits, self.writer) = (limits, writer) }

  /// - Parameter rows: the bytes of each row; nil for one that cannot be read.
  mutating func receive(
    _ head: PayloadHead, _ rows: [[UInt8]?], _ found: Origin, _ sink: any EvidenceSink
  ) {
    let key = PrintedConversations.key(head.source, head.destination)
    if streams[key] == nil {
      if streams.count >= limits.connections { evict(sink) }
      flows &+= 1
      streams[key] = Stream(flow: flows, client: head.source, last: found)
      var opening = Opening(
        .stream, client: PrintedConversation.endpoint(head.source),
        server: PrintedConversation.endpoint(head.destination), isFromStart: Self.isRequest(rows))
      opening.provenance.writer = Array(writer.utf8)
      sink.opened(opening, Delivery(origin(found, streams[key]!, .toServer)))
    }
    var stream = streams[key]!
    let isUp = head.source == stream.client
    stream.last = found
    for (index, part) in rows.split(separator: nil, omittingEmptySubsequences: false).enumerated() {
      var delivery = Delivery(origin(found, stream, isUp ? .toServer : .toClient))
      delivery.origin.offset = isUp ? stream.offsets.up : stream.offsets.down
      if index > 0 {
        sink.finding(
          .dumpNotUnderstood, .warning, delivery.origin,
          "a row of this packet cannot be read; it is taken for lost")
        sink.gap(nil, delivery)
      }
      let bytes = part.flatMap { $0! }
      if bytes.isEmpty { continue }
      sink.stream(bytes.span.bytes, delivery)
      if isUp {
        stream.offsets.up += UInt64(bytes.count)
      } else {
        stream.offsets.down += UInt64(bytes.count)
      }
    }
    streams[key] = stream
  }

  /// Whether a connection begins with it: a method and a target of HTTP, or a ClientHello (RFC 8446
  /// §5.1, §4).
  private static func isRequest(_ rows: [[UInt8]?]) -> Bool {
    let bytes = rows.prefix(2).flatMap { $0 ?? [] }
    let isHello = bytes.starts(with: [0x16, 3]) && bytes.count > 5 && bytes[5] == 1
    let word = bytes.prefix { $0 &- 0x41 < 26 }
    return isHello || word.count > 2 && bytes[word.count...].starts(with: " /".utf8)
  }

  mutating func finish(_ sink: any EvidenceSink) {
    for stream in streams.values.sorted(by: { $0.flow < $1.flow }) { close(stream, sink) }
    streams.removeAll()
  }

  private func close(_ stream: Stream, _ sink: any EvidenceSink) {
    sink.closed(
      Closing(isUnfinished: true), Delivery(origin(stream.last, stream, .unknown)))
  }

  /// Ends the connections that said nothing for the longest time, an eighth at once.
  private mutating func evict(_ sink: any EvidenceSink) {
    let byAge = streams.sorted { $0.value.last.record < $1.value.last.record }
    for (key, stream) in byAge.prefix(max(1, byAge.count / 8)) {
      close(stream, sink)
      streams[key] = nil
    }
  }

  private func origin(_ found: Origin, _ stream: Stream, _ direction: Direction) -> Origin {
    var origin = found
    (origin.flow, origin.direction) = (stream.flow, direction)
    return origin
  }
}
