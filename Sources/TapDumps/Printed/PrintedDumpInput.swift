// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// What tcpdump -A and -AA print: packets as text, in which bytes that are no ASCII are dots.
public struct PrintedDumpInput: InputKind {
  public static let name: StaticString = "tcpdump-text"

  /// Lines before the first packet, of a shell and of tcpdump itself.
  private static let mostBefore = 16

  private var reader: PrintedDumpReader
  private let limits: Limits
  private var line: [UInt8] = []
  private var offset: UInt64 = 0

  public init(_ place: Place, limits: Limits) {
    (reader, self.limits) = (PrintedDumpReader(place, limits), limits)
  }

  /// The line of a packet of TCP, and text below it. If digits stand below it, it is a dump for
  /// another input.
  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    var (before, hasPacket, isDecoded) = (0, false, false)
    var at = 0
    while at < head.byteCount {
      guard let end = head.firstIndex(of: .lineFeed, from: at) ?? (isAll ? head.byteCount : nil)
      else {
        return hasPacket || head.byteCount - at < PrintedHead.longest ? .undecided : .no
      }
      let line = Self.trimmed(head.extracting(at..<end).copied()[...])
      at = end + 1
      if let packet = PrintedHead(line) {
        hasPacket = packet.length != nil || packet.goesOn
        isDecoded = packet.isVerbose
        continue
      }
      if hasPacket {
        // What -AA prints may begin with a line feed: a byte of an address.
        if line.isEmpty || isDecoded && isDetail(line) { continue }
        return line.first == .tab || line.starts(with: "    ".utf8) ? .no : .yes
      }
      before += 1
      if before > mostBefore || line.contains(.openBracket) { return .no }
    }
    return isAll ? .no : .undecided
  }

  /// What -v prints of a packet in front of its text.
  private static func isDetail(_ line: ArraySlice<UInt8>) -> Bool {
    line.first == .tab || PrintedHead(second: line) != nil
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == .carriageReturn ? line.dropLast() : line
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    var at = 0
    while at < chunk.byteCount {
      let end = chunk.firstIndex(of: .lineFeed, from: at)
      let part = chunk.extracting(at..<(end ?? chunk.byteCount))
      let room = max(0, limits.packetBytes - line.count)
      line += part.extracting(0..<min(part.byteCount, room)).copied()
      guard let end else { return }
      take(sink)
      at = end + 1
    }
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    if !line.isEmpty { take(sink) }
    reader.finish(sink)
  }

  private mutating func take(_ sink: any EvidenceSink) {
    reader.take(Self.trimmed(line[...]), at: offset, sink)
    offset += UInt64(line.count) + 1
    line.removeAll(keepingCapacity: line.capacity < 1 << 20)
  }
}
