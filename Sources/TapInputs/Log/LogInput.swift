// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// A log: text of lines, some of which have messages in them. The last that is asked of all inputs:
/// any text that nobody else claims.
public struct LogInput: InputKind {
  static let name: StaticString = "log"

  /// Octets of the beginning that are looked at.
  private static let looked = 1024
  /// Of them at least, if a line is shorter.
  private static let least = 16

  private var lines: LogLines
  private var reader: LogReader

  /// - Parameter input: the number of this input, which goes into every origin.
  public init(input: UInt16, limits: Limits) { self.init(Place(input: input), limits: limits) }

  init(_ place: Place, limits: Limits) { self.init(place, limits: limits, from: 0) }

  /// - Parameter offset: where in the file it begins.
  init(_ place: Place, limits: Limits, from offset: UInt64) {
    lines = LogLines(place, limits, from: offset)
    reader = LogReader(place, limits)
  }

  /// Text has hardly any controls, and is UTF-8 in the main. The first line decides, so that a log
  /// can be read while it is written.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let line = head.firstIndex(of: 0x0A, from: min(least, head.byteCount))
    guard isAll || line != nil || head.byteCount >= looked else { return .undecided }
    let count = min(line ?? head.byteCount, head.byteCount, looked)
    if count == 0 && head.isEmpty { return .no }
    var odd = 0
    for at in 0..<count {
      let byte = head.byte(at: at)
      if byte == 0 { return .no }
      let isControl = byte < 0x20 && !(0x08...0x0D).contains(byte) && byte != 0x1B && byte != 0x1E
      if isControl || byte == 0x7F { odd += 1 }
    }
    var at = 0
    while at < count {
      if let scalar = UTF8.scalar(in: head, at: at) {
        at += scalar.length
      } else {
        odd += 1
        at += 1
      }
    }
    return odd * 10 <= count ? .yes : .no
  }

  /// Whether a text has something in it that may be a message, or the mark of one.
  public static func mayHold(_ text: RawSpan) -> Bool { LogFormats.leads.survey(text).first != nil }

  public mutating func receive(_ chunk: RawSpan, _ floor: any Floor) {
    lines.receive(chunk, &reader, floor)
  }

  public mutating func finish(_ floor: any Floor) {
    lines.finish(&reader, floor)
    reader.tally.lines = lines.number
    reader.finish(floor)
  }
}
