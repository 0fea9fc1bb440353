// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// Bytes in base64. Almost every word is base64 of something, so what it stands for has to begin as
/// something we read.
public struct Base64Input: InputKind {
  private var reader: NotationReader<Base64Notation>

  /// - Parameter input: the number of this input, which goes into every origin.
  public init(input: UInt16, limits: Limits) {
    self.init(Place(input: input), limits: limits)
  }

  init(_ place: Place, limits: Limits) { reader = NotationReader(place, limits) }

  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let count = min(head.byteCount, NotationReader<Base64Notation>.sampled)
    // Blanks end the text or a line; between words they are none of it.
    var wasBlank = false
    var letters = 0
    for at in 0..<count {
      let byte = head.byte(at: at)
      if byte == 0x20 || byte == 0x09 {
        wasBlank = letters > 0
      } else if byte == 0x0A || byte == 0x0D {
        wasBlank = false
      } else if wasBlank {
        return .no
      } else {
        letters += 1
      }
    }
    guard let (_, octets) = NotationReader<Base64Notation>.sample(head, isAll: isAll) else {
      return .no
    }
    if head.byteCount < NotationReader<Base64Notation>.sampled && !isAll { return .undecided }
    if letters < 8 { return .no }
    let bytes = ContiguousArray(octets)
    let isWhole = isAll && head.byteCount <= NotationReader<Base64Notation>.sampled
    switch OctetShape.recognise(bytes.span.bytes, isAll: isWhole) {
    case .unknown, .frameHeader: return .no
    default: return .yes
    }
  }

  public mutating func receive(_ chunk: RawSpan, _ floor: any Floor) {
    reader.receive(chunk, floor)
  }

  public mutating func finish(_ floor: any Floor) { reader.finish("base64", floor) }
}
