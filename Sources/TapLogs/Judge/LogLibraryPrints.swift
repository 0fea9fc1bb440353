// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapTraffic

/// A program and the library below it may both print a message, each when it passes through: a sent
/// one is printed by the program first, unless it prints only what it has sent; a received one by
/// the library. The print of the program is used, as it has all of the message. The first of the
/// two waits for the other, and all messages behind it wait for their turn.
///
/// A program that no format knows says in words who sends. That it prints messages of the library
/// shows when both have printed the same one.
struct LogLibraryPrints {
  typealias Message = LogSecondPrint.Message

  private struct Entry {
    var message: Message
    /// It waits for the other print of the same message.
    var isWaiting: Bool
  }

  /// Who has printed a message.
  private enum Printer { case program, words, library, other }

  /// The limits of what waits, in messages and in bytes. Lines without a message do not count: the
  /// trace of an exception may stand between the two prints.
  private static let most = 64
  private static let mostBytes = 1 << 20
  /// Messages that wait until it shows whether a program prints what the library prints.
  private static let mostUnsure = 8
  /// Sent messages that are remembered: a program may queue a few before they are written.
  private static let mostSent = 8

  /// Index in `LogFormats.all`; nil until it is known that a program prints what this library
  /// prints.
  private var library: Int?
  /// The program prints sent messages behind the library, too.
  private var isBehind = false
  /// The program is one that says in words who sends: it may print before the library, or behind.
  private var hasWords = false
  /// A library has printed a handshake.
  private var isExpected = false
  /// No program prints what the library prints, as far as its first messages show.
  private var hasGivenUp = false
  /// Messages that the program has printed as sent and the library has not.
  private var sent: [[UInt8]] = []
  private var queue: [Entry] = []
  private var bytes = 0

  var waiting: UInt64? { queue.first?.message.candidate.origin.offset }

  /// A handshake was printed.
  mutating func expect(_ match: LogMatch?) {
    if let match, library == nil, !hasGivenUp {
      isExpected = LogFormats.isLibrary(match.formatIndex)
    }
  }

  /// Whether this is the print by the library of a message that the program has printed as sent.
  mutating func isEcho(_ candidate: LogCandidate, _ bytes: RawSpan) -> Bool {
    guard let match = candidate.match else { return false }
    if let library = LogFormats.library(of: match.formatIndex) {
      (self.library, hasWords) = (library, false)
      isBehind = match.format.traits.contains(.printsWhatWasSent)
      if match.direction == .sent && !isBehind { note(sent: bytes) }
      return false
    }
    guard match.formatIndex == library, match.direction == .sent,
      let index = sent.firstIndex(where: { Self.isSame(candidate, bytes, $0.span.bytes) })
    else { return false }
    // If the library prints it again, it was sent again.
    sent.remove(at: index)
    return true
  }

  private mutating func note(sent bytes: RawSpan) {
    if sent.count >= Self.mostSent { sent.removeFirst() }
    sent.append(bytes.copied())
  }

  /// Whether a message of the same library waits, which may have begun the conversation, or one of
  /// a program that may print what this library prints.
  func hasBegun(_ match: LogMatch?) -> Bool {
    guard let match, match.isCertain else { return false }
    let isLibrary = LogFormats.isLibrary(match.formatIndex)
    return queue.contains {
      let first = $0.message.candidate.match
      return first?.formatIndex == match.formatIndex || isLibrary && Self.printer(first) == .words
    }
  }

  /// Whether a program above the library has printed what this line has.
  func isBelowProgram(_ match: LogMatch?) -> Bool {
    library != nil && match?.formatIndex == library && !hasWords
  }

  /// Whether a message may be one that a library and the program above it print: then a batch is
  /// one message, as what a library prints of it may be cut.
  func compares(_ match: LogMatch?) -> Bool {
    guard isExpected || library != nil else { return false }
    let printer = Self.printer(match)
    return printer == .words || printer == .library
  }

  /// Whether a message has to wait, or is what one waits for.
  @inline(__always)
  func holds(_ candidate: LogCandidate) -> Bool { !queue.isEmpty || mayWait(candidate.match) }

  private func mayWait(_ match: LogMatch?) -> Bool {
    guard let match else { return false }
    switch Self.printer(match) {
    case .library:
      guard let library else { return !hasGivenUp }
      return match.formatIndex == library && (match.direction == .received || isBehind || hasWords)
    case .words: return hasWords || isExpected
    case .program, .other: return false
    }
  }

  private static func printer(_ match: LogMatch?) -> Printer {
    guard let match else { return .other }
    if LogFormats.library(of: match.formatIndex) != nil { return .program }
    if LogFormats.isLibrary(match.formatIndex) { return .library }
    let isWords = match.formatIndex == LogFormats.unmarked.formatIndex && match.ruleIndex == nil
    return isWords && (match.direction == .sent || match.direction == .received) ? .words : .other
  }

  /// Puts a message into the queue: in the place of its other print, if that waits.
  ///
  /// - Returns: what was printed twice, and what is reported now, in order.
  mutating func take(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ judgement: LogJudge.Judgement
  ) -> (twice: LogCandidate?, reported: [Message]) {
    let message = (candidate: candidate, bytes: bytes.copied(), judgement: judgement)
    var twice: LogCandidate?
    self.bytes += bytes.byteCount
    let printer = Self.printer(candidate.match)
    if let index = queue.firstIndex(where: { Self.isOther($0, message, printer) }) {
      let first = queue[index].message
      self.bytes -= first.bytes.count
      if printer == .program {
        twice = first.candidate
        queue[index] = Entry(message: message, isWaiting: false)
      } else {
        twice = candidate
        let (words, library) = printer == .words ? (message, first) : (first, message)
        if self.library == nil { begin(library.candidate, before: index) }
        let both = Self.unite(words, library, at: first.candidate)
        self.bytes += both.bytes.count - bytes.byteCount
        queue[index] = Entry(message: both, isWaiting: false)
      }
    } else {
      if library == nil && queue.count >= Self.mostUnsure { giveUp() }
      queue.append(Entry(message: message, isWaiting: mayWait(candidate.match)))
    }
    var count = 0
    while count < queue.count,
      !queue[count].isWaiting || queue.count - count > Self.most || self.bytes > Self.mostBytes
    {
      self.bytes -= queue[count].message.bytes.count
      count += 1
    }
    defer { queue.removeFirst(count) }
    return (twice, queue[..<count].map(\.message))
  }

  /// No other prints come: takes all.
  mutating func takeAll() -> [Message] {
    defer { (queue, bytes) = ([], 0) }
    return queue.map(\.message)
  }

  private mutating func giveUp() {
    for index in queue.indices { queue[index].isWaiting = false }
    (isExpected, hasGivenUp) = (false, true)
  }

  /// The program turns out to print the messages of a library in words. What it printed before is
  /// of the same connection, unless the library has printed something else in that direction before
  /// it.
  private mutating func begin(_ candidate: LogCandidate, before end: Int) {
    (library, hasWords) = (candidate.match?.formatIndex, true)
    var printed: [LogDirection] = []
    for index in 0..<end {
      queue[index].isWaiting = false
      let message = queue[index].message
      guard let direction = message.candidate.match?.direction else { continue }
      let printer = Self.printer(message.candidate.match)
      if printer == .library { printed.append(direction) }
      guard printer == .words, !printed.contains(direction) else { continue }
      var united = Self.unite(message, (candidate, [], message.judgement), at: message.candidate)
      united.candidate.match?.direction = direction
      queue[index].message = united
    }
  }

  /// The message as the program has printed it, of the connection that the library says.
  private static func unite(_ words: Message, _ library: Message, at first: LogCandidate)
    -> Message
  {
    var candidate = library.candidate
    (candidate.recognition, candidate.kind) = (words.candidate.recognition, words.candidate.kind)
    (candidate.origin, candidate.height) = (first.origin, first.height)
    candidate.traits = words.candidate.traits
    (candidate.length, candidate.certain) = (words.candidate.length, words.candidate.certain)
    var judgement = words.judgement
    if case .take = library.judgement { judgement = .take }
    return (candidate, words.bytes, judgement)
  }

  /// Whether a message is the one that waits, printed by the other of the two.
  private static func isOther(_ entry: Entry, _ message: Message, _ printer: Printer) -> Bool {
    let first = entry.message
    guard entry.isWaiting, first.candidate.match?.direction == message.candidate.match?.direction
    else {
      return false
    }
    let (held, bytes) = (first.bytes.span.bytes, message.bytes.span.bytes)
    switch (Self.printer(first.candidate.match), printer) {
    case (.library, .program), (.library, .words): return isSame(first.candidate, held, bytes)
    case (.words, .library): return isSame(message.candidate, bytes, held)
    default: return false
    }
  }

  /// - Parameters:
  ///   - held: what the library has printed: several texts of JSON may be one message; the program
  ///     prints one after the other.
  ///   - bytes: what the program prints.
  private static func isSame(_ printed: LogCandidate, _ held: RawSpan, _ bytes: RawSpan) -> Bool {
    if !printed.isCut && SameList.isSame(held, bytes) { return true }
    if let end = held.firstIndex(of: .lineFeed), end > 0, end < held.byteCount - 1 {
      return SameList.isSame(held.extracting(0..<end), bytes)
    }
    if !printed.isCut { return false }
    return SameList.isBeginning(held, of: bytes)
      || held.starts(with: "[") && SameList.begins(held, like: bytes)
  }
}
