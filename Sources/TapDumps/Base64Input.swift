// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// Bytes in base64. Almost every word is base64 of something, so what it stands for has to begin as
/// something we read.
public struct Base64Input: InputKind {
  public static let name: StaticString = "base64"

  private var reader: NotationReader<Base64Notation>

  public init(_ place: Place, limits: Limits) { reader = NotationReader(place, limits) }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let count = min(head.byteCount, NotationSample<Base64Notation>.most)
    // Blanks may begin or end a line; between words, it is no base64.
    var wasBlank = false
    var isInLine = false
    var letters = 0
    for at in 0..<count {
      let byte = head.byte(at: at)
      if byte.isWSP {
        wasBlank = isInLine
      } else if byte == .lineFeed || byte == .carriageReturn {
        (wasBlank, isInLine) = (false, false)
      } else if wasBlank {
        return .no
      } else {
        letters += 1
        isInLine = true
      }
    }
    let sample = NotationSample<Base64Notation>(head, isAll: isAll)
    if sample.badDigits > 0 { return .no }
    if !sample.isEnough { return .undecided }
    return letters >= 8 && sample.isEvidence ? .yes : .no
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    reader.receive(chunk, sink)
  }

  public mutating func finish(_ sink: any EvidenceSink) { reader.finish("base64", sink) }
}
