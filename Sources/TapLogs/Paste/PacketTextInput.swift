// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// Packets pasted as text, one a line, that begin with digits or a letter ahead of their JSON:
/// `42["chat",{}]`, `0{"sid":…}`, `2probe`, `a["…"]`, or several with their lengths or separators,
/// `96:0{…}2:40`. It claims a text only where every line has that form; who reads the message
/// judges what is inside.
public struct PacketTextInput: InputKind {
  public static let name: StaticString = "packets"

  private let place: Place
  private let limits: Limits
  /// The beginning of a line that came with earlier chunks.
  private var carry = Scratch()
  /// Bytes of the file before what comes next, and where the line began.
  private var (offset, start): (UInt64, UInt64) = (0, 0)
  private var isTooLong = false

  public init(_ place: Place, limits: Limits) { (self.place, self.limits) = (place, limits) }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    var at = 0
    var hasLine = false
    while at < head.byteCount {
      let end = head.firstIndex(of: .lineFeed, from: at) ?? head.byteCount
      let line = trimmed(head.extracting(at..<end))
      if end == head.byteCount && !isAll {
        return line.isEmpty || mayBegin(line.byte(at: 0)) ? .undecided : .no
      }
      at = end + 1
      if line.isEmpty || line.equals("o") || line.equals("h") { continue }
      if !isPacket(line) { return .no }
      hasLine = true
    }
    return !isAll ? .undecided : hasLine ? .yes : .no
  }

  /// Without white space around it.
  @_lifetime(copy line)
  private static func trimmed(_ line: RawSpan) -> RawSpan {
    var (start, end) = (0, line.byteCount)
    while start < end, line.byte(at: start) <= 0x20 && line.byte(at: start) != 0x1E { start += 1 }
    while end > start, line.byte(at: end - 1) <= 0x20 && line.byte(at: end - 1) != 0x1E { end -= 1 }
    return line.extracting(start..<end)
  }

  private static func mayBegin(_ byte: UInt8) -> Bool {
    byte.isDigit
      || [UInt8(ascii: "a"), UInt8(ascii: "c"), UInt8(ascii: "o"), UInt8(ascii: "h")].contains(byte)
  }

  /// Whether a line begins with digits and what may stand between them and JSON, and ends as JSON.
  private static func isPacket(_ whole: RawSpan) -> Bool {
    // A body has several packets; the first says what they are.
    let line = whole.extracting(0..<(whole.firstIndex(of: 0x1E) ?? whole.byteCount))
    if line.isEmpty { return false }
    if line.starts(with: "a[\"") || line.starts(with: "c[") {
      // A list of strings, or a code and a reason.
      return line.byteCount > 5 && line.byte(at: line.byteCount - 2) == .quote
        && line.byte(at: line.byteCount - 1) == .closeBracket
    }
    guard line.byte(at: 0).isDigit else { return false }
    if line.dropping(1).equals("probe") { return true }
    var at = 1
    // Ids, and lengths or numbers of attachments.
    while at < line.byteCount, isHead(line.byte(at: at)) { at += 1 }
    if at < line.byteCount, line.byte(at: at) == UInt8(ascii: "/") {
      guard let comma = line.firstIndex(of: UInt8(ascii: ","), from: at) else { return false }
      for place in at..<comma where line.byte(at: place) <= 0x20 { return false }
      at = line.behindDigits(comma + 1)
      if at == line.byteCount { return true }
    }
    guard at < line.byteCount, [.openBracket, .openBrace, .quote].contains(line.byte(at: at)) else {
      return false
    }
    let last = line.byte(at: line.byteCount - 1)
    return [.closeBracket, .closeBrace, .quote].contains(last) || last.isDigit
  }

  private static func isHead(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":")
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    var at = 0
    while let end = chunk.firstIndex(of: .lineFeed, from: at) {
      line(chunk.extracting(at..<end), sink)
      at = end + 1
      start = offset + UInt64(at)
    }
    keep(chunk.dropping(at))
    offset += UInt64(chunk.byteCount)
  }

  public mutating func finish(_ sink: any EvidenceSink) { line(RawSpan(), sink) }

  private mutating func keep(_ bytes: RawSpan) {
    if carry.count + bytes.byteCount > limits.lineBytes { isTooLong = true }
    if isTooLong { carry.removeAll() } else { carry.append(bytes) }
  }

  private func pass(_ sink: any EvidenceSink) {
    let message = Self.trimmed(carry.bytes)
    if !message.isEmpty { sink.message(message, Delivery(place.origin(start), .text)) }
  }

  private mutating func line(_ rest: RawSpan, _ sink: any EvidenceSink) {
    keep(rest)
    if isTooLong {
      sink.finding(
        .pasteTooLarge, .warning, place.origin(start),
        "the line at \(place.byte(start)) is larger than \(limits.lineBytes) bytes; it is skipped"
      )
    }
    pass(sink)
    carry.removeAll()
    isTooLong = false
  }
}
