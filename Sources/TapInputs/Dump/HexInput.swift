// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// Bytes in hexadecimal digits without offsets, as `xxd -p` and Wireshark's hex stream write them,
/// or as people do: `81 0e 5b`, `81:0e:5b`, `0x81, 0x0e, 0x5b`.
public struct HexInput: InputKind {
  private var reader: NotationReader<HexNotation>

  /// - Parameter input: the number of this input, which goes into every origin.
  public init(input: UInt16, limits: Limits) {
    self.init(Place(input: input), limits: limits)
  }

  init(_ place: Place, limits: Limits) { reader = NotationReader(place, limits) }

  /// A row of digits may be any number or name, so it has to begin as something we read; four bytes
  /// written apart are bytes, whatever they mean.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    guard let (form, octets) = NotationReader<HexNotation>.sample(head, isAll: isAll) else {
      return .no
    }
    if head.byteCount < NotationReader<HexNotation>.sampled && !isAll { return .undecided }
    if form.pairs >= 4 && form.others == 0 { return .yes }
    if octets.count < 4 { return .no }
    let bytes = ContiguousArray(octets)
    let isWhole = isAll && head.byteCount <= NotationReader<HexNotation>.sampled
    switch OctetShape.recognise(bytes.span.bytes, isAll: isWhole) {
    case .unknown, .frameHeader: return .no
    default: return .yes
    }
  }

  public mutating func receive(_ chunk: RawSpan, _ floor: any Floor) {
    reader.receive(chunk, floor)
  }

  public mutating func finish(_ floor: any Floor) { reader.finish("hex bytes", floor) }
}
