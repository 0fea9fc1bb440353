// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// An HTTP archive (HAR 1.2) whose entries have `_webSocketMessages`, as Chromium's developer
/// tools, mitmproxy, HTTP Toolkit and Proxyman write them. It is read as it comes and not held;
/// messages are, to be put in the order of their times.
public struct HARInput: InputKind, JSONMarks {
  public static let name: StaticString = "har"

  static let marks: [(outer: StaticString, inner: StaticString)] = [
    ("log", "entries"), ("log", "creator"), ("log", "pages"), ("log", "browser"),
  ]

  private let place: Place
  private var stream = JSONStream<HARReader>()
  private var reader: HARReader

  public init(_ place: Place, limits: Limits) {
    self.place = place
    reader = HARReader(place, limits)
  }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim { sight(head, isAll: isAll) }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    stream.receive(chunk, &reader, sink)
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    stream.finish(&reader, sink)
    reader.finish(sink)
    stream.tellEnd("HAR", place, sink)
  }
}
