// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// WebSocket frames as they are, or one message in MessagePack, CBOR, UBJSON or BJData, nothing
/// around them. No text begins as frames do: the first byte of one that is a whole message is none
/// of UTF-8. A list of UBJSON begins with a bracket, and has behind it what no text has.
public struct FramesInput: InputKind {
  public static let name: StaticString = "frames"

  private var decoded: Decoded
  private let place: Place

  public init(_ place: Place, limits: Limits) {
    self.place = place
    decoded = Decoded(place, limits)
  }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let most = 4096
    guard let first = head.isEmpty ? nil : head.byte(at: 0),
      first & 0x80 != 0 || first == .openBracket
    else {
      return head.isEmpty && !isAll ? .undecided : .no
    }
    if head.byteCount < most && !isAll { return .undecided }
    let sample = head.extracting(0..<min(head.byteCount, most))
    let isWhole = isAll && head.byteCount < most
    let shape = OctetShape.recognise(sample, isAll: isWhole)
    return shape == .frames || shape == .serialized ? .yes : .no
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    for at in 0..<chunk.byteCount { decoded.append(chunk.byte(at: at), sink) }
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    decoded.end(sink)
    sink.recognised(InputVerdict("raw bytes"), place.origin(0))
  }
}
