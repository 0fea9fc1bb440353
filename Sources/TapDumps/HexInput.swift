// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// Bytes in hexadecimal digits without offsets, as `xxd -p` and Wireshark's hex stream write them,
/// or as people do: `81 0e 5b`, `81:0e:5b`, `0x81, 0x0e, 0x5b`.
public struct HexInput: InputKind {
  public static let name: StaticString = "hex"

  private var reader: NotationReader<HexNotation>

  public init(_ place: Place, limits: Limits) { reader = NotationReader(place, limits) }

  /// A row of digits may be any number or name, so it has to begin as something we read; four bytes
  /// written apart are bytes, whatever they mean. A few that are damaged among many do not make
  /// them something else.
  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let sample = NotationSample<HexNotation>(head, isAll: isAll)
    let form = sample.form
    if form.isForeign { return .no }
    if !sample.isEnough { return .undecided }
    if form.pairs >= 4 && form.others == 0 && form.damaged * 4 <= form.pairs { return .yes }
    // The shortest message, [35,1] in MessagePack, has three bytes.
    if form.pairs == 3 && form.others == 0 && sample.shape == .serialized { return .yes }
    if sample.octets.count >= 4 && sample.isEvidence { return .yes }
    // A row that is damaged in its first frame.
    let mayBeFrame = sample.shape == .frameHeader && sample.octets[0] & 0x80 != 0
    return sample.badDigits > 0 && form.row >= 16 && mayBeFrame ? .yes : .no
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    reader.receive(chunk, sink)
  }

  public mutating func finish(_ sink: any EvidenceSink) { reader.finish("hex bytes", sink) }
}
