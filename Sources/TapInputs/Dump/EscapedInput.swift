// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// Bytes as a string literal of C, Python or JavaScript.
public struct EscapedInput: InputKind {
  private var reader: NotationReader<EscapedNotation>

  /// - Parameter input: the number of this input, which goes into every origin.
  public init(input: UInt16, limits: Limits) {
    self.init(Place(input: input), limits: limits)
  }

  init(_ place: Place, limits: Limits) { reader = NotationReader(place, limits) }

  /// An escape is evidence enough; a literal without one must be of bytes (`b'…'`) that begin as
  /// something we read.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    var at = 0
    while at < head.byteCount, isBlank(head.byte(at: at)) { at += 1 }
    guard at < head.byteCount else { return isAll ? .no : .undecided }
    guard [0x5C, 0x22, 0x27, 0x62, 0x42].contains(head.byte(at: at)) else { return .no }
    guard let (form, octets) = NotationReader<EscapedNotation>.sample(head, isAll: isAll) else {
      return .no
    }
    if form.escapes > 0 { return .yes }
    if head.byteCount < NotationReader<EscapedNotation>.sampled && !isAll { return .undecided }
    if !form.hasPrefix || octets.isEmpty { return .no }
    let bytes = ContiguousArray(octets)
    let isWhole = isAll && head.byteCount <= NotationReader<EscapedNotation>.sampled
    switch OctetShape.recognise(bytes.span.bytes, isAll: isWhole) {
    case .unknown, .frameHeader: return .no
    default: return .yes
    }
  }

  public mutating func receive(_ chunk: RawSpan, _ floor: any Floor) {
    reader.receive(chunk, floor)
  }

  public mutating func finish(_ floor: any Floor) { reader.finish("escaped bytes", floor) }
}
