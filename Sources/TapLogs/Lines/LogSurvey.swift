// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence

/// What can be told of the lines of a chunk by themselves: where they end, and which are worth
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
    /// Which of the leads is its first; nil where nobody needs to read it.
    @inline(__always) var lead: Int? { number == 0 ? nil : Int(number) - 1 }
  }

  /// What makes a line worth reading. Offsets are those of the line.
  struct Lead {
    let at: Int
    /// Whether an anchor stands on the line, there or behind.
    let hasAnchor: Bool
    /// The first list, as far as the line has it.
    let list: ListEnd
    /// What begins there has nothing but numbers in it, and ends here.
    let numbers: Int?
    /// The line is its text: there are no escape sequences in it, and nothing was written over.
    let isPlain: Bool
  }

  private(set) var lines: ContiguousArray<Line> = []
  private(set) var leads: ContiguousArray<Lead> = []
  private(set) var hasNUL = false
  /// Where something may stand that is looked for.
  private var places: ContiguousArray<UInt64> = []

  private let known: LogLeads

  public init(_ known: LogLeads) { self.known = known }

  /// Forgets what was found before.
  ///
  /// - Parameter chunk: cut anywhere: the first line is looked at as if it began here.
  public mutating func look(at chunk: RawSpan) {
    precondition(chunk.byteCount <= UInt32.max)
    lines.removeAll(keepingCapacity: true)
    leads.removeAll(keepingCapacity: true)
    hasNUL = false
    known.pairs.find(in: chunk, places: &places)
    // Where the line begins, and the first place that makes it worth reading.
    var start = 0
    var first: Int?
    var hasAnchor = false
    for block in places.indices {
      var hits = places[block]
      while hits != 0 {
        let at = block * 64 + hits.trailingZeroBitCount
        hits &= hits &- 1
        let octet = chunk.byte(at: at)
        if octet == 0x0A {
          lines.append(Line(end: at, lead: first == nil ? nil : leads.count))
          if let first {
            leads.append(Lead(chunk.extracting(start..<at), first - start, hasAnchor))
          }
          (start, first, hasAnchor) = (at + 1, nil, false)
        } else if octet == 0 {
          hasNUL = true
        } else if first == nil {
          guard known.mayBeLead(chunk, at), known.isLead(chunk, at, start) else { continue }
          (first, hasAnchor) = (at, known.isAnchor(chunk, at))
        } else if !hasAnchor {
          hasAnchor = known.isAnchor(chunk, at)
        }
      }
    }
  }
}

extension LogSurvey.Lead {
  /// Nil for a line that nobody needs to read.
  init?(_ line: RawSpan, _ leads: LogLeads) {
    let (first, hasAnchor) = leads.survey(line)
    guard let first else { return nil }
    self.init(line, first, hasAnchor)
  }

  @inline(__always)
  init(_ line: RawSpan, _ first: Int, _ hasAnchor: Bool) {
    (at, self.hasAnchor) = (first, hasAnchor)
    var list = ListEnd(from: first)
    list.advance(line)
    if list.state != .seeking {
      list.skeleton = LogRules.skeleton(line.extracting(0..<list.start))
    }
    self.list = list
    numbers = LogNumbers.end(line, first)
    isPlain = LogLines.isPlain(line)
  }
}
