// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// Bytes as a string literal of C, Python or JavaScript.
public struct EscapedInput: InputKind {
  public static let name: StaticString = "escaped"

  private var reader: NotationReader<EscapedNotation>

  public init(_ place: Place, limits: Limits) { reader = NotationReader(place, limits) }

  /// An escape is evidence enough; a literal without one must be of bytes (`b'…'`) that begin as
  /// something we read.
  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    var at = 0
    while at < head.byteCount, head.byte(at: at).isJSONSpace { at += 1 }
    guard at < head.byteCount else { return isAll ? .no : .undecided }
    guard
      [.backslash, .quote, .apostrophe, UInt8(ascii: "b"), UInt8(ascii: "B")].contains(
        head.byte(at: at))
    else { return .no }
    let sample = NotationSample<EscapedNotation>(head, isAll: isAll)
    if sample.beginsForeign { return .no }
    if !sample.isEnough { return .undecided }
    if sample.badDigits * 4 > sample.form.escapes { return .no }
    if sample.form.escapes > 0 { return .yes }
    return sample.form.hasPrefix && sample.isEvidence ? .yes : .no
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    reader.receive(chunk, sink)
  }

  public mutating func finish(_ sink: any EvidenceSink) { reader.finish("escaped bytes", sink) }
}
