// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// A log of Chromium's network stack (`--log-net-log`, chrome://net-export), taken with raw bytes:
/// what sockets sent and received becomes streams. It is read as it comes; nothing is held.
public struct NetLogInput: InputKind, JSONMarks {
  public static let name: StaticString = "netlog"

  static let marks: [(outer: StaticString, inner: StaticString)] = [
    ("constants", "logEventTypes"), ("constants", "timeTickOffset"),
    ("constants", "logFormatVersion"),
  ]

  private let place: Place
  private var stream = JSONStream<NetLogReader>()
  private var reader: NetLogReader

  public init(_ place: Place, limits: Limits) {
    self.place = place
    reader = NetLogReader(place, limits)
  }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim { sight(head, isAll: isAll) }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    stream.receive(chunk, &reader, sink)
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    stream.finish(&reader, sink)
    reader.finish(sink)
    // A browser that is killed leaves the list of events open.
    stream.tellEnd("NetLog", place, usual: 2, sink)
  }
}
