// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Lines that tell in words what was sent: who reads them knows the programs, and this who is who.
/// All lines are shown to them once one has come that hardly anything else looks like; until then,
/// those at the beginning, of which the few wait that may be of such a program.
struct LogNarration {
  /// Lines at the beginning.
  static let mostWatched: UInt64 = 1024
  /// Bytes of a line beyond which it tells nothing.
  static let longest = 8192
  /// Lines that wait, and bytes of each.
  private static let mostHeld = 64
  private static let mostOctets = 4096

  struct Line {
    var text: [UInt8]
    var origin: Origin
  }

  /// What lines of one connection have in common.
  struct Name: Hashable {
    var program: String
    var source: String
    var connection: String
  }

  /// What reads the lines of each source, and what reads those of a new one.
  private var readers: [String: [any NarratedLog]] = [:]
  private let fresh: [any NarratedLog]
  private let mostSources: Int
  /// Where a line of a source waits for more.
  private var waits: [String: UInt64] = [:]
  private var held: [Line] = []
  /// Where each connection is, in `LogConversations.conversations`, and its number there.
  var places: [Name: (conversation: Int, flow: UInt32)] = [:]
  /// Messages by program.
  var counts: [(program: String, count: UInt64)] = []
  var told: ContiguousArray<Narration> = []
  /// The source of the line that is read.
  var source = ""
  var hasToldMixed = false

  init(_ logs: [any NarratedLog], limits: Limits) {
    (fresh, mostSources) = (logs, limits.narratedSources)
  }

  var waiting: UInt64? { waits.values.min() }

  func mayTell(_ line: RawSpan) -> Bool { !waits.isEmpty || fresh.contains { $0.mayTell(line) } }

  /// A line before any program is known; answers those that have waited for this one, and itself,
  /// once it is.
  mutating func look(at line: RawSpan, _ origin: Origin, from source: String) -> [Line] {
    let (isAny, isKnown) = look(at: line, from: source)
    if isAny && held.count < Self.mostHeld && line.byteCount <= Self.mostOctets {
      held.append(Line(text: line.copied(), origin: origin))
    }
    if !isKnown { return [] }
    defer { held = [] }
    return held
  }

  /// What is looked at is forgotten where it shows no program.
  private mutating func look(
    at line: RawSpan, from source: String
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

  /// Reads a line of a known program into `told`; answers whether it is one.
  mutating func read(_ line: RawSpan, _ origin: Origin, from source: String) -> Bool {
    if tell(line, origin, from: source) { return true }
    // Another program may write into the same log.
    return look(at: line, from: source).isAny && tell(line, origin, from: source)
  }

  private mutating func tell(_ line: RawSpan, _ origin: Origin, from source: String) -> Bool {
    guard readers[source] != nil else { return false }
    self.source = source
    let text = line.dropping(LinePrefix.length(line))
    var isRead = false
    for place in fresh.indices where !isRead {
      isRead = readers[source]![place].read(text, origin, &told)
    }
    noteWait(source)
    return isRead
  }

  private mutating func noteWait(_ source: String) {
    waits[source] = readers[source]?.compactMap { $0.waiting?.offset }.min()
  }

  /// Those that have a reader, in alphabetical order.
  var sources: [String] { readers.keys.sorted() }

  /// Whether a new source has to take the place of others.
  func isFull(for source: String) -> Bool {
    readers.count >= mostSources && readers[source] == nil
  }

  /// Tells what waits of a source.
  mutating func settle(_ source: String) {
    self.source = source
    for place in fresh.indices { readers[source]?[place].settle(&told) }
    waits[source] = nil
  }

  /// Reads no source until a line of it shows its program once more.
  mutating func forgetSources() { readers = [:] }

  mutating func count(_ program: StaticString) {
    let name = program.description
    if let place = counts.firstIndex(where: { $0.program == name }) {
      counts[place].count += 1
    } else {
      counts.append((name, 1))
    }
  }
}
