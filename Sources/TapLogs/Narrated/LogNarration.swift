// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Reads lines that describe in words what was sent. Readers of dialects know the programs; this
/// tells their connections apart. Until a line clearly belongs to a known program, only the
/// beginning of the log is tried, and possible lines wait.
struct LogNarration {
  /// Lines at the beginning.
  static let mostWatched: UInt64 = 1024
  /// Bytes of a line beyond which it is not read.
  static let longest = 64 << 10
  /// The same of one that goes on with what another one has begun.
  private static let longestBelow = 1 << 20
  /// Lines that wait, and bytes of each.
  private static let mostHeld = 64
  private static let mostOctets = 4096

  struct Line {
    var text: [UInt8]
    var source: String?
    var origin: Origin
  }

  /// What a line has described, and the source of that line.
  struct Narrated {
    var source: String
    var narration: Narration
  }

  /// What reads the lines of each source, and what reads those of a new one.
  private var readers: [String: [any NarratedLog]] = [:]
  private let fresh: [any NarratedLog]
  private let mostSources: Int
  /// Where a line of a source waits for more.
  private var waits: [String: UInt64] = [:]
  private var held: [Line] = []
  /// What was reported and is to be passed on.
  private var narrated: [Narrated] = []
  /// One of its readers knows the program.
  private(set) var isKnown = false
  /// Lines of a log whose newest line comes first, which are read from the last one on, and whether
  /// one of them may describe a message.
  private var kept: [Line] = []
  private var mayKeptReport = false
  /// Bytes of these lines.
  private(set) var keptOctets = 0

  init(_ logs: [any NarratedLog], limits: Limits) {
    (fresh, mostSources) = (logs, limits.narratedSources)
  }

  var waiting: UInt64? { waits.values.min() }

  /// Whether a line of this number is to be shown to those that read such logs.
  @inline(__always)
  func isAsked(_ number: UInt64) -> Bool {
    isKnown || number < Self.mostWatched || mayKeptReport
  }

  func mayReport(_ line: RawSpan) -> Bool {
    if !waits.isEmpty { return line.byteCount <= Self.longestBelow }
    return line.byteCount <= Self.longest && fresh.contains { $0.mayReport(line) }
  }

  /// Whether something waits for lines, and this one is too long to be read.
  func breaksOff(at line: RawSpan) -> Bool {
    !waits.isEmpty && line.byteCount > Self.longestBelow
  }

  /// Keeps a line, in place of the same when that is read for the second time.
  mutating func keep(_ line: RawSpan, _ origin: Origin) {
    if line.isEmpty || line.byteCount > Self.longest { return }
    while let last = kept.last, last.origin.record == origin.record {
      keptOctets -= last.text.count + MemoryLayout<Line>.stride
      kept.removeLast()
    }
    if mayReport(line) { mayKeptReport = true }
    kept.append(Line(text: line.copied(), source: nil, origin: origin))
    keptOctets += line.byteCount + MemoryLayout<Line>.stride
  }

  /// What was kept, the oldest first; nothing where none of it describes a message.
  mutating func takeKept() -> [Line] {
    defer { (kept, keptOctets) = ([], 0) }
    return mayKeptReport ? kept.reversed() : []
  }

  /// A line may be read twice, where what seemed to go on below it did not: what waits of the first
  /// time is forgotten.
  mutating func beginLine(_ number: UInt64) {
    while held.last?.origin.record == number { held.removeLast() }
  }

  /// Looks at a line before any program is known. Once a line shows the program, returns the lines
  /// that have waited.
  ///
  /// - Parameter known: its source, where that is known.
  mutating func probe(
    _ line: RawSpan, from known: String?, _ origin: Origin, _ sources: LogSources
  ) -> [Line] {
    // A copy: names on lines that describe nothing are not to be remembered.
    var names = sources
    let source = known ?? names.name(line, line.byteCount) ?? names.heading
    let (isAny, isFound) = probe(line, from: source)
    if isFound {
      isKnown = true
      defer { held = [] }
      return held
    }
    if isAny && held.count < Self.mostHeld && line.byteCount <= Self.mostOctets {
      held.append(Line(text: line.copied(), source: known, origin: origin))
    }
    return []
  }

  /// What readers remember of a line is kept only if it shows their program.
  private mutating func probe(
    _ line: RawSpan, from source: String
  ) -> (isAny: Bool, isKnown: Bool) {
    let text = line.dropping(LinePrefix.length(line))
    var logs = readers[source] ?? fresh
    var found = (isAny: false, isKnown: false)
    for place in logs.indices {
      if logs[place].look(at: text) { found.isAny = true }
      if logs[place].isKnown { found.isKnown = true }
    }
    if found.isKnown { readers[source] = logs }
    return found
  }

  /// Reads a line of a known program; answers whether it is one.
  mutating func read(
    _ line: RawSpan, from known: String?, _ origin: Origin, _ facts: inout FactReader
  ) -> Bool {
    var origin = origin
    // Such programs put the time before their lines as a bare number.
    facts.clock.takesNumbers = true
    let before = facts.clock
    let text = line.dropping(LinePrefix.length(line))
    // Its record may have shown the time.
    if !origin.time.isKnown {
      origin.set(
        facts.clock.above(text, number: origin.record)
          ?? facts.clock.above(line, number: origin.record))
    }
    var names = facts.sources
    let source = known ?? names.name(line, line.byteCount) ?? names.heading
    if readers.count >= mostSources && readers[source] == nil {
      settle()
      // From here on, a source is read only after one of its lines has shown its program again.
      readers = [:]
    }
    // Another program may write into the same log.
    guard
      report(line, origin, from: source)
        || probe(line, from: source).isAny && report(line, origin, from: source)
    else {
      facts.clock = before
      return false
    }
    facts.sources = names
    return true
  }

  private mutating func report(_ line: RawSpan, _ origin: Origin, from source: String) -> Bool {
    guard readers[source] != nil else { return false }
    let text = line.dropping(LinePrefix.length(line))
    var all: ContiguousArray<Narration> = []
    var isRead = false
    for place in fresh.indices where !isRead {
      isRead = readers[source]![place].read(text, origin, &all)
    }
    note(all, from: source)
    return isRead
  }

  private mutating func note(_ all: ContiguousArray<Narration>, from source: String) {
    for narration in all { narrated.append(Narrated(source: source, narration: narration)) }
    waits[source] = readers[source]?.compactMap { $0.waiting?.offset }.min()
  }

  /// Reports what waited for lines that do not come.
  mutating func settle() {
    for source in readers.keys.sorted() {
      var all: ContiguousArray<Narration> = []
      for place in fresh.indices { readers[source]?[place].settle(&all) }
      note(all, from: source)
    }
    waits = [:]
  }

  /// What was reported since this was asked last.
  mutating func take() -> [Narrated] {
    defer { narrated.removeAll() }
    return narrated
  }
}
