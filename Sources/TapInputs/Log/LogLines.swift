// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Cuts a log into lines and passes on those that may hold a message, with the lines that belong to
/// them; see `LogLeads`.
struct LogLines {
  /// Octets that are kept of a line for the one below.
  private static let kept = 256

  let place: Place
  let limits: Limits
  let leads = LogFormats.leads
  /// The beginning of a line whose end has not come.
  private var carry = Scratch()
  /// So much of a line that it is skipped to its end.
  private var isOverlong = false
  /// The beginning of the line before.
  var before = Scratch()
  var gathering: LogGathering?
  /// What stands before the chunk, or before the line that is not whole.
  private(set) var above = LinesAbove()
  /// Where the last line begins that was read and had a message.
  var lastRead: UInt64?
  /// Of the line that begins next, in octets of the file.
  private(set) var offset: UInt64
  /// Some lines name the file of those below: `==> app.log <==`.
  var hasHeadings = false
  /// Lines without a lead are searched for marks that are none.
  var isWatching = true
  /// What is read is a part of a line that others were written over: it has nothing above it.
  var isOverwritten = false
  /// There was such a mark.
  var hasSeldom = false
  /// Lines that ended.
  private(set) var number: UInt64 = 0

  init(_ place: Place, _ limits: Limits, from offset: UInt64) {
    (self.place, self.limits, self.offset) = (place, limits, offset)
  }

  mutating func receive(_ chunk: RawSpan, _ reader: inout LogReader, _ floor: any Floor) {
    var at = 0
    if !carry.isEmpty || isOverlong {
      let end = chunk.firstIndex(of: 0x0A)
      extend(chunk.extracting(0..<(end ?? chunk.byteCount)), floor)
      guard let end else { return }
      endCarried(&reader, floor)
      at = end + 1
    }
    let lines = chunk.dropping(at)
    at = scan(lines, &reader, floor)
    above.keep(lines.extracting(0..<at))
    extend(lines.dropping(at), floor)
  }

  /// No more comes: the last line may have no end.
  mutating func finish(_ reader: inout LogReader, _ floor: any Floor) {
    if !carry.isEmpty || isOverlong { endCarried(&reader, floor) }
    giveUp(&reader, floor)
  }

  /// All whole lines of a chunk; answers where the one begins that is not whole.
  private mutating func scan(
    _ chunk: RawSpan, _ reader: inout LogReader, _ floor: any Floor
  ) -> Int {
    var start = readGathering(chunk, from: 0, &reader, floor)
    if gathering != nil { return start }
    // The line before, as far as it is in this chunk.
    var last: Range<Int>?
    let (longest, keepsContext) = (limits.lineBytes, place.choice.keepsContext)
    // The first lead of the line, if it was passed over.
    var first: Int?
    // Lent once, not for each octet.
    let leads = leads
    let (set, ninth) = (leads.set, leads.ninth)
    var block = start
    while block < chunk.byteCount {
      var hits = chunk.places(ofAny: set, or: ninth, from: block)
      // What was passed over already.
      var passed = block
      while hits != 0 {
        let at = block + hits.trailingZeroBitCount
        hits &= hits &- 1
        if chunk.byte(at: at) == 0x0A {
          if isWatching { watch(chunk.extracting(start..<at), at: 0, &reader, floor) }
          if at - start > longest {
            tellOverlong(floor)
            keep(chunk, last)
            last = nil
          } else {
            if keepsContext { context(chunk.extracting(start..<at), floor) }
            last = start..<at
          }
          pass(at - start)
          (start, first) = (at + 1, nil)
          continue
        }
        guard leads.isLead(chunk, at, start) else { continue }
        if !place.choice.isForced, let end = LogNumbers.end(chunk, at, floor) {
          passed = end
          if first == nil { first = at }
        } else {
          guard let end = chunk.firstIndex(of: 0x0A, from: at) else {
            keep(chunk, last)
            return start
          }
          keep(chunk, last)
          last = nil
          line(
            chunk.extracting(start..<end), above: chunk.extracting(0..<start),
            lead: (first ?? at) - start, &reader, floor)
          first = nil
          start = readGathering(chunk, from: end + 1, &reader, floor)
          if gathering != nil { return start }
          passed = start
        }
        let shift = passed - block
        hits = shift < 64 ? hits & (UInt64.max << UInt64(shift)) : 0
      }
      block = max(block + 64, passed)
    }
    keep(chunk, last)
    return start
  }

  /// Lines for those that wait for them; answers where the next begins.
  @inline(__always)
  private mutating func readGathering(
    _ chunk: RawSpan, from first: Int, _ reader: inout LogReader, _ floor: any Floor
  ) -> Int {
    var start = first
    while gathering != nil {
      guard let end = chunk.firstIndex(of: 0x0A, from: start) else { break }
      line(
        chunk.extracting(start..<end), above: chunk.extracting(0..<start), &reader, floor)
      start = end + 1
    }
    return start
  }

  /// The line's own words.
  @inline(never)
  func context(_ line: RawSpan, _ floor: any Floor) {
    let text = ANSI.stripped(line)
    let origin = place.origin(offset, record: number + 1)
    LogReader.context(text.bytes, origin, floor)
  }

  /// A line that nobody reads.
  private mutating func pass(_ count: Int) {
    number += 1
    offset += UInt64(count) + 1
  }

  private mutating func keep(_ chunk: RawSpan, _ last: Range<Int>?) {
    if let last { keep(chunk.extracting(last)) }
  }

  mutating func keep(_ line: RawSpan) {
    before.removeAll()
    before.append(line.extracting(0..<min(line.byteCount, Self.kept)))
  }

  /// More of a line that is not whole.
  private mutating func extend(_ bytes: RawSpan, _ floor: any Floor) {
    if isOverlong {
      offset += UInt64(bytes.byteCount)
      return
    }
    carry.append(bytes)
    if carry.count <= limits.lineBytes { return }
    tellOverlong(floor)
    isOverlong = true
    offset += UInt64(carry.count)
    carry.removeAll()
    carry.shrink(above: 1 << 20)
  }

  private func tellOverlong(_ floor: any Floor) {
    floor.finding(
      Finding(
        .logLineTooLong, .warning, place.origin(offset, record: number + 1),
        "line \(number + 1), at \(place.byte(offset)), is longer than \(limits.lineBytes) bytes;"
          + " it is skipped"))
  }

  private mutating func endCarried(_ reader: inout LogReader, _ floor: any Floor) {
    if isOverlong {
      isOverlong = false
      above.removeAll()
      return pass(0)
    }
    var whole = carry
    carry = Scratch()
    line(whole.bytes, &reader, floor)
    whole.append(0x0A)
    above.keep(whole.bytes)
  }

  /// One whole line.
  ///
  /// - Parameters:
  ///   - above: what stands before it in the chunk.
  ///   - lead: where its first lead is, if that is known.
  private mutating func line(
    _ bytes: RawSpan, above: RawSpan = RawSpan(), lead: Int? = nil, _ reader: inout LogReader,
    _ floor: any Floor
  ) {
    if bytes.byteCount > limits.lineBytes {
      tellOverlong(floor)
    } else if let end = bytes.firstIndex(of: 0x0D), end + 1 < bytes.byteCount {
      overwritten(bytes, &reader, floor)
    } else {
      text(bytes, at: 0, above: above, lead, &reader, floor)
    }
    pass(bytes.byteCount)
  }

  /// A line that was written over again and again, as progress is shown: each time one for itself.
  private mutating func overwritten(
    _ bytes: RawSpan, _ reader: inout LogReader, _ floor: any Floor
  ) {
    isOverwritten = true
    defer { isOverwritten = false }
    var start = 0
    while start < bytes.byteCount {
      let end = LoneCR.end(bytes, from: start)
      if end > start {
        reader.copies = LogCopies()
        text(bytes.extracting(start..<end), at: start, nil, &reader, floor)
      }
      start = end + 1
    }
  }

  /// The text of a line, or of a part of one.
  private mutating func text(
    _ bytes: RawSpan, at start: Int, above: RawSpan = RawSpan(), _ lead: Int?,
    _ reader: inout LogReader, _ floor: any Floor
  ) {
    if bytes.firstIndex(of: 0x1B) == nil {
      let margin = Self.margin(bytes)
      plain(
        bytes.dropping(margin), at: start + margin, above: above, lead.map { $0 - margin },
        &reader, floor)
    } else {
      let text = ANSI.stripped(bytes)
      plain(text.bytes, at: start, above: above, nil, &reader, floor)
    }
  }

  /// Octets ahead of a line that say nothing: the mark of UTF-8, NUL, a form feed.
  @inline(__always)
  private static func margin(_ line: RawSpan) -> Int {
    guard line.byteCount > 0 else { return 0 }
    let first = line.byte(at: 0)
    return first == 0xEF || first == 0 || first == 0x0C ? wholeMargin(line) : 0
  }

  @inline(never)
  private static func wholeMargin(_ line: RawSpan) -> Int {
    var at = 0
    while at < line.byteCount {
      if line.byte(at: at) == 0 || line.byte(at: at) == 0x0C {
        at += 1
      } else if line.dropping(at).starts(with: "\u{FEFF}") {
        at += 3
      } else {
        break
      }
    }
    return at
  }

  /// A line without escape sequences.
  private mutating func plain(
    _ bytes: RawSpan, at start: Int, above: RawSpan, _ lead: Int?, _ reader: inout LogReader,
    _ floor: any Floor
  ) {
    if gathering != nil && !gather(bytes, &reader, floor) { return }
    let origin = place.origin(offset + UInt64(start), record: number + 1)
    let sights = reader.tally.sights
    read(bytes, above: above, lead: lead, origin, mayGather: true, &reader, floor)
    if isWatching && gathering == nil && sights == reader.tally.sights {
      watch(bytes, at: start, &reader, floor)
    }
    keep(bytes)
  }
}
