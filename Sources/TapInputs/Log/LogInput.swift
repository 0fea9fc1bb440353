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
  /// The first line, until it ends.
  private var first: Scratch? = Scratch()

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
    if first != nil { look(chunk) }
    lines.receive(chunk, &reader, floor)
  }

  private mutating func look(_ chunk: RawSpan) {
    let end = chunk.firstIndex(of: 0x0A) ?? chunk.byteCount
    first!.append(chunk.extracting(0..<min(end, Self.looked - first!.count)))
    guard end < chunk.byteCount || first!.count >= Self.looked else { return }
    reader.tally.isAccessLog = Self.isAccess(first!.bytes)
    first = nil
  }

  /// Whether a line is one of an access log: a request in quotes, and a status behind it.
  private static func isAccess(_ line: RawSpan) -> Bool {
    var at = 0
    while let quote = line.firstIndex(of: 0x22, from: at) {
      at = quote + 1
      guard quote > 8, at + 4 <= line.byteCount, line.byte(at: at) == 0x20,
        (1...3).allSatisfy({ line.byte(at: at + $0) &- 0x30 < 10 })
      else { continue }
      let version = line.dropping(quote - 8)
      if version.starts(with: "HTTP/1.") || line.dropping(quote - 6).starts(with: "HTTP/") {
        return true
      }
    }
    return false
  }

  public mutating func finish(_ floor: any Floor) {
    lines.finish(&reader, floor)
    reader.tally.lines = lines.number
    if let first { reader.tally.isAccessLog = Self.isAccess(first.bytes) }
    reader.finish(floor)
  }
}
