// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// A file of flows as mitmproxy and mitmdump save them (`mitmdump -w`): tagged netstrings. It is
/// read as it comes; messages are held, to be put in the order of their times.
public struct MitmproxyFlowInput: InputKind {
  public static let name: StaticString = "mitmproxy"

  /// Names that the state of a flow begins with, by the versions of mitmproxy.
  private static let names: [StaticString] = [
    "websocket", "request", "response", "backup", "client_conn", "server_conn", "error", "id",
    "type", "version", "metadata", "messages", "marked", "intercepted", "mode", "is_replay",
    "timestamp_created", "comment", "close_code", "close_message", "close_reason", "close_sender",
    "client_extensions", "client_key", "client_protocol", "server_accept", "server_extensions",
    "server_protocol",
  ]

  private let place: Place
  private var stream = NetStringStream()
  private var reader: FlowReader

  public init(_ place: Place, limits: Limits) {
    self.place = place
    reader = FlowReader(place, limits)
  }

  /// A length, then the first key of a dictionary: a length, a known name and a tag.
  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    var at = 0
    for most in [12, 2] {
      var digits = 0
      while at < head.byteCount, digits <= most, head.byte(at: at).isDigit {
        (at, digits) = (at + 1, digits + 1)
      }
      if at == head.byteCount { return isAll || digits > most ? .no : .undecided }
      if digits == 0 || digits > most || head.byte(at: at) != .colon { return .no }
      at += 1
    }
    let name = head.dropping(at)
    for known in names where name.starts(with: known) {
      let length = known.utf8CodeUnitCount
      guard length < name.byteCount else { continue }
      if name.byte(at: length) == 0x3B || name.byte(at: length) == 0x2C { return .yes }
    }
    return isAll || name.byteCount > 24 ? .no : .undecided
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    stream.receive(chunk, &reader, sink)
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    let isCut = !stream.isBetween && !stream.isStopped
    stream.finish(&reader, sink)
    reader.finish(sink)
    if isCut {
      let end = place.byte(stream.offset)
      sink.finding(
        Finding(
          .exportTruncated, .warning, place.origin(stream.offset),
          "the file of flows ends at \(end), inside a flow; what is whole of it is read"
        ).cutting)
    }
  }
}
