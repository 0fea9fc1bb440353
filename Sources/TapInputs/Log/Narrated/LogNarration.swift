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
  private static let mostSources = 256
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
  private var held: [Line] = []
  /// Where each connection is, in `LogConversations.talks`, and its number there.
  var places: [Name: (talk: Int, flow: UInt32)] = [:]
  /// Messages by program.
  var counts: [(program: String, count: UInt64)] = []
  var told: ContiguousArray<Narration> = []
  /// The source of the line that is read.
  var source = ""
  var hasToldMixed = false

  init(_ logs: [any NarratedLog]) { fresh = logs }

  var waiting: UInt64? {
    readers.values.flatMap { $0.compactMap { $0.waiting?.offset } }.min()
  }

  func mayTell(_ line: RawSpan) -> Bool {
    fresh.contains { $0.mayTell(line) }
      || readers.values.contains { $0.contains { $0.mayTell(line) } }
  }

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

  private mutating func look(
    at line: RawSpan, from source: String
  ) -> (isAny: Bool, isKnown: Bool) {
    if readers[source] == nil {
      if readers.count >= Self.mostSources { return (false, false) }
      readers[source] = fresh
    }
    var found = (isAny: false, isKnown: false)
    for place in fresh.indices {
      if readers[source]![place].look(at: line) { found.isAny = true }
      if readers[source]![place].isKnown { found.isKnown = true }
    }
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
    for place in fresh.indices where readers[source]![place].read(line, origin, &told) {
      return true
    }
    return false
  }

  /// What waits of each source; answers the sources.
  var sources: [String] { readers.keys.sorted() }

  mutating func settle(_ source: String) {
    self.source = source
    for place in fresh.indices { readers[source]?[place].settle(&told) }
  }

  mutating func count(_ program: StaticString) {
    let name = program.description
    if let place = counts.firstIndex(where: { $0.program == name }) {
      counts[place].count += 1
    } else {
      counts.append((name, 1))
    }
  }
}
