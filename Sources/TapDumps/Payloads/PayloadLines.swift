// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// The lines of a dump of payloads.
struct PayloadLines {
  /// Lines before the first packet, of a shell and of the program itself.
  private static let mostBefore = 16

  private var reader: PayloadReader
  private let limits: Limits
  private var line: [UInt8] = []
  private var offset: UInt64 = 0

  init(_ tool: PayloadHead.Tool, _ place: Place, _ limits: Limits) {
    (reader, self.limits) = (PayloadReader(tool, place, limits), limits)
  }

  /// The line of a packet, with nothing before it that may be a message.
  static func claim(_ head: RawSpan, of tool: PayloadHead.Tool, isAll: Bool) -> InputClaim {
    var (before, at) = (0, 0)
    while at < head.byteCount {
      let end = head.firstIndex(of: .lineFeed, from: at)
      let line = head.extracting(at..<(end ?? head.byteCount))
      let first = line.extracting(0..<min(line.byteCount, PayloadHead.longest)).copied()
      if end != nil || isAll || line.byteCount > PayloadHead.longest {
        if PayloadHead(PayloadHead.plain(first[...]), of: tool) != nil { return .yes }
      } else {
        return .undecided
      }
      // What ngrep was asked for.
      if ["filter: ", "match: "].contains(where: { first.starts(with: $0.utf8) }) {
        at = (end ?? head.byteCount) + 1
        continue
      }
      before += 1
      if before > mostBefore || first.contains(.openBracket) || first.contains(.openBrace) {
        return .no
      }
      at = (end ?? head.byteCount) + 1
    }
    return isAll ? .no : .undecided
  }

  mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
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

  mutating func finish(_ sink: any EvidenceSink) {
    if !line.isEmpty { take(sink) }
    reader.finish(sink)
  }

  private mutating func take(_ sink: any EvidenceSink) {
    reader.take(PayloadHead.plain(line[...]), at: offset, sink)
    offset += UInt64(line.count) + 1
    line.removeAll(keepingCapacity: line.capacity < 1 << 20)
  }
}
