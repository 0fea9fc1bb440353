// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What can be told of the lines of a chunk by themselves: where they end, and which are worth
/// reading; see `LogLeads`. Nothing that was read before is asked, so that another thread can look
/// ahead.
public struct LogSurvey: Sendable {
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

  public init() {}

  /// Forgets what was found before.
  ///
  /// - Parameter chunk: cut anywhere: the first line is looked at as if it began here.
  public mutating func look(at chunk: RawSpan) {
    precondition(chunk.byteCount <= UInt32.max)
    lines.removeAll(keepingCapacity: true)
    leads.removeAll(keepingCapacity: true)
    // Lent once, not for each octet.
    let known = LogFormats.leads
    let (set, ninth) = (known.set, known.ninth)
    var (start, block) = (0, 0)
    while block < chunk.byteCount {
      var hits = chunk.places(ofAny: set, or: ninth, from: block)
      var next = block + 64
      while hits != 0 {
        let at = block + hits.trailingZeroBitCount
        hits &= hits &- 1
        if chunk.byte(at: at) == 0x0A {
          lines.append(Line(end: at))
          start = at + 1
        } else if known.isLead(chunk, at, start) {
          guard let end = chunk.firstIndex(of: 0x0A, from: at) else { return }
          lines.append(Line(end: end, lead: leads.count))
          leads.append(Lead(chunk.extracting(start..<end), known, first: at - start)!)
          start = end + 1
          let shift = start - block
          if shift < 64 {
            hits &= UInt64.max << UInt64(shift)
          } else {
            (hits, next) = (0, start)
          }
        }
      }
      block = next
    }
  }
}

extension LogSurvey.Lead {
  /// Nil for a line that nobody needs to read.
  ///
  /// - Parameter first: its first lead, if that is known.
  @inline(__always)
  init?(_ line: RawSpan, _ leads: LogLeads, first: Int? = nil) {
    let (first, hasAnchor) = leads.survey(line, first: first)
    guard let first else { return nil }
    (at, self.hasAnchor) = (first, hasAnchor)
    var list = ListEnd(from: first)
    list.advance(line)
    self.list = list
    numbers = LogNumbers.end(line, first)
    isPlain = LogLines.isPlain(line)
  }
}
