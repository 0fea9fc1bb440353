// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// A WebSocket connection as it was saved from the first byte on: what both sides sent, as
/// Wireshark saves a followed stream in raw bytes, or what one of them sent, as tcpflow writes its
/// files. Its heads, and the masks of its frames, say who sent what.
public struct SavedStreamInput: InputKind {
  public static let name: StaticString = "stream"

  /// Bytes of the longest header of a frame (RFC 6455 §5.2).
  private static let longestHeader = 14

  private let place: Place
  private var offset: UInt64 = 0

  public init(_ place: Place, limits: Limits) { self.place = place }

  /// The handshake of WebSocket or its answer, and a frame behind it.
  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    guard begins(as: "GET ", head) || begins(as: "HTTP/1.1 101", head) else { return .no }
    guard let end = end(ofHeadIn: head) else { return isAll ? .no : .undecided }
    let small = head.extracting(0..<end).copied().map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    guard small.firstRange(of: Array("\nupgrade: websocket".utf8)) != nil else { return .no }
    let rest = head.dropping(end)
    if rest.starts(with: "HTTP/1.1 101") && head.starts(with: "GET ") {
      return claim(rest, isAll: isAll)
    }
    if rest.byteCount < longestHeader && !isAll { return .undecided }
    guard let frame = FrameOutline(rest, at: 0), frame.isPlausible, frame.first & 0x80 != 0 else {
      return .no
    }
    return .yes
  }

  /// Whether bytes begin with the words, as far as they are there.
  private static func begins(as words: String, _ bytes: RawSpan) -> Bool {
    words.utf8.starts(with: bytes.extracting(0..<min(bytes.byteCount, words.utf8.count)).copied())
  }

  /// Behind the empty line.
  private static func end(ofHeadIn bytes: RawSpan) -> Int? {
    var at = 0
    while let end = bytes.firstIndex(of: .lineFeed, from: at) {
      if bytes.dropping(end + 1).starts(with: "\r\n") { return end + 3 }
      at = end + 1
    }
    return nil
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    sink.stream(chunk, Delivery(place.origin(offset), .stream))
    offset += UInt64(chunk.byteCount)
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    sink.endStream(Delivery(place.origin(offset), .stream))
    sink.recognised(InputVerdict("saved stream"), place.origin(0))
  }
}
