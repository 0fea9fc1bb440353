// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// Dumps with offsets: of xxd, hexdump, od, tcpdump, tshark and Wireshark. Every packet of a
/// capture in that form, or the bytes of a stream, of both its sides when it was followed.
public struct HexDumpInput: InputKind {
  public static let name: StaticString = "dump"

  /// How far the first line of bytes is looked for.
  private static let sampled = 16 << 10

  private var reader: DumpReader
  private var line: [UInt8] = []

  public init(_ place: Place, limits: Limits) { reader = DumpReader(place, limits) }

  /// A line of bytes at offset 0 with nothing before it but what belongs to dumps; without offset
  /// 0, two lines that follow each other.
  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let bytes = head.extracting(0..<min(head.byteCount, sampled)).copied()
    if let first = bytes.first(where: { !$0.isJSONSpace }),
      first == .openBracket || first == .openBrace
    {
      return .no
    }
    var last: DumpLine?
    // Behind the summary of a packet its details may stand, whatever they look like.
    var isPacket = false
    var at = 0
    while at < bytes.count {
      let end = bytes[at...].firstIndex(of: .lineFeed)
      if end ?? bytes.count > at + DumpLine.longest {
        // Only a packet's details have lines like that.
        guard isPacket, let end else { break }
        at = end + 1
        continue
      }
      if end == nil && !(isAll && head.byteCount < sampled) { break }
      let line = trimmed(bytes[at..<(end ?? bytes.count)])
      at = (end ?? bytes.count) + 1
      if let dump = DumpLine(line), !dump.octets.isEmpty {
        if dump.hexadecimalOffset == 0 && mayBegin(dump) { return .yes }
        if let last, follows(dump, last) { return .yes }
        if last != nil { return .no }
        last = dump
        continue
      }
      switch DumpHead(line) {
      case .packet, .frame: isPacket = true
      case .derived, .follow: break
      case .blank: continue
      case .repeated, nil:
        if line.starts(with: "Frame ".utf8) { isPacket = true }
        if !isPacket && !isOrnament(line) { return .no }
      }
      last = nil
    }
    let isTooLong = !isPacket && bytes.count - at > DumpLine.longest
    return isAll || head.byteCount >= sampled || isTooLong ? .no : .undecided
  }

  /// A first line of zeros only may as well be a row of words.
  private static func mayBegin(_ line: DumpLine) -> Bool {
    line.style != .od || line.octets.contains { $0 != 0 }
  }

  private static func follows(_ line: DumpLine, _ last: DumpLine) -> Bool {
    let step = line.hexadecimalOffset - last.hexadecimalOffset
    return line.style == last.style && step == last.octets.count
  }

  /// What tshark writes above a stream, Wireshark above its columns and a packet's details, and
  /// `tcpdump -t` above a packet; with `-ttt` a difference of times, behind a blank.
  static func isOrnament(_ line: [UInt8]) -> Bool {
    if line.first == .space, case .packet? = DumpHead(Array(line.drop { $0 == .space })) {
      return true
    }
    if line.allSatisfy({ $0 == UInt8(ascii: "=") }) { return true }
    for word in ["Filter: ", "Node ", "No. ", "Frame ", "IP ", "IP6 ", "ARP, "]
    where line.starts(with: word.utf8) {
      return true
    }
    return false
  }

  /// Without its end, and without the marks of a text that was quoted.
  static func trimmed(_ line: ArraySlice<UInt8>) -> [UInt8] {
    let text = line.last == .carriageReturn ? line.dropLast() : line
    guard text.first == UInt8(ascii: ">") else { return Array(text) }
    let rest = text.drop { $0 == UInt8(ascii: ">") }
    return Array(rest.first == .space ? rest.dropFirst() : rest)
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    var at = 0
    while at < chunk.byteCount {
      let end = chunk.firstIndex(of: .lineFeed, from: at)
      let part = chunk.extracting(at..<(end ?? chunk.byteCount))
      // Of a line that is too long, a beginning is kept that is still too long.
      let room = max(0, DumpLine.longest + 1 - line.count)
      line += part.extracting(0..<min(part.byteCount, room)).copied()
      at = (end ?? chunk.byteCount) + 1
      if end != nil { take(sink) }
    }
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    if !line.isEmpty { take(sink) }
    reader.finish(sink)
  }

  private mutating func take(_ sink: any EvidenceSink) {
    reader.take(line.count > DumpLine.longest ? nil : Self.trimmed(line[...]), sink)
    line.removeAll(keepingCapacity: true)
  }
}
