// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence

/// What the lines of a chunk show by themselves: where they end, and which are worth
/// reading; see `LogLeads`. Nothing that was read before is asked, so that another thread can look
/// ahead.
public struct LogSurvey: ChunkSurvey {
  /// A line that ends in the chunk.
  struct Line {
    private let octets: UInt32
    private let number: UInt32

    @inline(__always) init(end: Int, lead: Int? = nil) {
      octets = UInt32(truncatingIfNeeded: end)
      number = UInt32(truncatingIfNeeded: (lead ?? -1) + 1)
    }

    /// Where it ends in the chunk: there is LF.
    @inline(__always) var end: Int { Int(octets) }
    /// The index of its lead in `leads`; nil where it need not be read.
    @inline(__always) var lead: Int? { number == 0 ? nil : Int(number) - 1 }
  }

  /// What makes a line worth reading. Offsets are those of the line.
  struct Lead {
    let at: Int
    /// The words on the line.
    let anchors: LogAnchors
    /// The first list, as far as the line has it.
    let list: ListEnd
    /// Where the list that begins at `at` ends, if it has nothing but numbers in it.
    let numbers: Int?
    /// The line is its text: there are no escape sequences in it, and nothing was written over.
    let isPlain: Bool
  }

  private(set) var lines: ContiguousArray<Line> = []
  private(set) var leads: ContiguousArray<Lead> = []
  private(set) var hasNUL = false
  /// A bit for each byte at which something that is looked for may begin.
  private var places: ContiguousArray<UInt64> = []

  private let known: LogLeads

  public init(_ known: LogLeads) { self.known = known }

  /// Bytes that are searched at once: few enough to be at hand still when they are looked at.
  private static let window = 16 << 10

  /// Forgets what was found before.
  ///
  /// - Parameter chunk: cut anywhere: the first line is looked at as if it began here.
  public mutating func look(at chunk: RawSpan) {
    precondition(chunk.byteCount <= UInt32.max)
    lines.removeAll(keepingCapacity: true)
    leads.removeAll(keepingCapacity: true)
    hasNUL = false
    var line = OpenLine()
    var start = 0
    while start < chunk.byteCount {
      let end = min(start + Self.window, chunk.byteCount)
      known.triples.find(in: chunk.extracting(start..<end), places: &places)
      scan(chunk, from: start, &line)
      start = end
    }
  }

  /// Looks at the places that were found, in a window that begins at `start`.
  @inline(__always)
  private mutating func scan(_ chunk: RawSpan, from start: Int, _ line: inout OpenLine) {
    for block in places.indices {
      var hits = places[block]
      while hits != 0 {
        let at = start &+ block &* 64 &+ hits.trailingZeroBitCount
        hits &= hits &- 1
        let octet = chunk.byte(at: at)
        if octet == .lineFeed {
          end(line, chunk, at)
          line = OpenLine(start: at + 1)
        } else if octet < 0x20 {
          if octet == 0 { hasNUL = true }
          if line.control == nil && (octet == .carriageReturn || octet == 0x1B) {
            line.control = at
          }
        } else if line.anchors != known.all, known.mayLead(chunk, at, line.start),
          let anchors = known.lead(chunk, at, line.start)
        {
          line.first = line.first ?? at
          line.anchors.formUnion(anchors)
        }
      }
    }
  }

  /// What was found of a line whose end was not. Offsets are those of the chunk.
  private struct OpenLine {
    var start = 0
    /// The first place that makes it worth reading.
    var first: Int?
    var anchors: LogAnchors = []
    /// The first CR or ESC.
    var control: Int?
  }

  @inline(__always)
  private mutating func end(_ line: OpenLine, _ chunk: RawSpan, _ end: Int) {
    let last = known.leadAtEnd(chunk, line.start, end)
    if line.first == nil && last == nil { return lines.append(Line(end: end)) }
    lead(line, last, chunk, end)
  }

  /// A line that is worth reading.
  @inline(never)
  private mutating func lead(
    _ line: OpenLine, _ last: (at: Int, anchors: LogAnchors)?, _ chunk: RawSpan, _ end: Int
  ) {
    var line = line
    if let last {
      line.anchors.formUnion(last.anchors)
      line.first = line.first ?? last.at
    }
    guard let first = line.first else { return }
    lines.append(Line(end: end, lead: leads.count))
    let text = chunk.extracting(line.start..<end)
    let control = line.control.map { $0 - line.start } ?? text.byteCount
    leads.append(Lead(text, first - line.start, line.anchors, control: control))
  }
}

extension LogSurvey.Lead {
  /// Nil for a line that need not be read.
  init?(_ line: RawSpan, _ leads: LogLeads) {
    let (first, anchors) = leads.survey(line)
    guard let first else { return nil }
    let control = line.firstIndex(ofAny: LineText.controls, from: 0)
    self.init(line, first, anchors, control: control)
  }

  /// - Parameter control: where the first CR or ESC stands, or else the line ends.
  @inline(__always)
  init(_ line: RawSpan, _ first: Int, _ anchors: LogAnchors, control: Int) {
    (at, self.anchors) = (first, anchors)
    numbers = LogNumbers.end(line, first)
    var list = ListEnd(from: first)
    list.advance(line, numbers: numbers)
    if list.state != .seeking {
      list.shape = LogRules.shape(line.extracting(0..<list.start))
    }
    self.list = list
    isPlain = LineText.isPlain(line, control: control)
  }
}
