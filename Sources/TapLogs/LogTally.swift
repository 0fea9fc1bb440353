// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence
internal import TapTraffic

/// What was found in a log, to be said in one line.
struct LogTally {
  private var messages: UInt64 = 0
  /// Whether any line has a message, even one that repeats another.
  var hasMessages = false
  private var abridged: UInt64 = 0
  private var strange: UInt64 = 0
  /// Chunks of stream data.
  private var pieces: UInt64 = 0
  /// Messages per format, indexed as `LogFormats.all`; those without a format are not counted.
  private var byFormat = ContiguousArray(repeating: UInt64(0), count: LogFormats.all.count)
  /// One of the formats prints each message twice.
  private(set) var hasRepeats = false
  /// Messages that another layer of the same program had printed before.
  var echoes: UInt64 = 0
  /// Lines with a list that stood where messages stand, and is none.
  private var others: UInt64 = 0
  /// The last of them: read together with other lines, it may still be a message.
  private var other: UInt64 = 0
  /// Lines that say who sends a list that is of no protocol which is read.
  private var unclaimed: UInt64 = 0
  /// The last of them.
  private var lastUnclaimed: UInt64 = 0
  /// Lines that say that they have a message, which cannot be read.
  var unread: UInt64 = 0
  /// The last of them whose message is cut.
  private var lastCut: UInt64 = 0
  /// Lines, and those that were too long to be read.
  private(set) var lines: UInt64 = 0
  /// Lines that have messages, including those that repeat a message.
  private(set) var used: UInt64 = 0
  /// The last of them in its file.
  private var lastUsed: UInt64 = 0
  /// The newest line came first, so messages were reported from the last line on.
  var isNewestFirst = false
  /// Nothing showed which side writes the log.
  var isTakenForClient = false
  /// Some strings were printed without quotes.
  var hasUnquoted = false
  /// Messages that are no UTF-8.
  var broken: UInt64 = 0
  /// Messages that lines describe in words, per program.
  private var narrated: [(program: String, count: UInt64)] = []
  /// The program that writes the log, if it prints no bytes of its messages.
  var byteless: BytelessLog?
  /// The program that prints what was sent as text, from which bytes cannot be told.
  var dots: StaticString?
  /// Its first line is that of an access log.
  var isAccessLog = false

  /// A list on this line is no message, though one could stand there.
  mutating func note(otherOn line: UInt64) {
    if line == other { return }
    (other, others) = (line, others + 1)
  }

  /// A list on this line is of no protocol that is read, though words say who sends it.
  mutating func note(unclaimedOn line: UInt64) {
    if line == lastUnclaimed { return }
    (lastUnclaimed, unclaimed) = (line, unclaimed + 1)
  }

  /// What was sent goes on behind the end of this line, and is not found there.
  mutating func note(cutOn line: UInt64) {
    if line == lastCut { return }
    (lastCut, unread) = (line, unread + 1)
  }

  /// There is a message on this line, or on `height` lines from this one on.
  mutating func use(line: UInt64, height: UInt64 = 1) {
    if line == lastUsed { return }
    (lastUsed, used) = (line, used + height)
  }

  /// A file of the log ends; lines of the next one begin at 1.
  mutating func endFile(lines: UInt64) {
    self.lines += lines
    lastUsed = 0
  }

  /// Lines that have nothing of a message.
  var passedOver: UInt64 { lines - min(lines, used) }

  mutating func count(_ candidate: LogCandidate) {
    messages += 1
    if candidate.origin.record == other { (other, others) = (0, others - 1) }
    if candidate.isIncomplete {
      if candidate.traits.contains(.unread) { strange += 1 } else { abridged += 1 }
    }
    guard let match = candidate.match else { return }
    if byFormat[match.formatIndex] == 0 && match.format.traits.contains(.repeating) {
      hasRepeats = true
    }
    byFormat[match.formatIndex] += 1
  }

  /// A message that a line describes in words.
  mutating func count(narratedBy program: String, _ kind: Delivery.Kind) {
    if kind == .abridged { abridged += 1 }
    if let known = narrated.firstIndex(where: { $0.program == program }) {
      narrated[known].count += 1
    } else {
      narrated.append((program, 1))
    }
  }

  /// Bytes of a stream whose meaning is not known yet.
  mutating func count(octets candidate: LogCandidate) {
    pieces += 1
    if let match = candidate.match { byFormat[match.formatIndex] += 1 }
  }

  /// "log of Autobahn|Python, 27 messages in 412 lines; times in whole seconds, …"
  ///
  /// - Parameters:
  ///   - score: knows what could have been messages.
  ///   - isForced: the user has named a dialect.
  func verdict(_ caveats: LogClockCaveats, _ score: LogScore, isForced: Bool) -> InputVerdict {
    let messages = narrated.reduce(messages) { $0 + $1.count }
    if messages + pieces == 0 { return InputVerdict(nothing(score, isForced: isForced)) }
    let known = byFormat.indices.filter { byFormat[$0] > 0 }.sorted {
      (byFormat[$1], $0) < (byFormat[$0], $1)
    }
    let titles =
      known.map { LogFormats.all[$0].title.description } + narrated.map(\.program)
    var extent = "in " + counted(lines, "line")
    if pieces > 0 { extent += ", with " + counted(pieces, "chunk") + " of stream data" }
    var parts: [String] = []
    if abridged > 0 { parts.append("the logger left out parts of \(abridged)") }
    if strange > 0 { parts.append("some values of \(strange) not understood") }
    if hasUnquoted { parts.append("strings without quotes, so types are a guess") }
    parts += doubts(score)
    if echoes > 0 { parts.append(counted(echoes, "message") + " printed twice, shown once") }
    if others > 0 {
      let (they, them) = others == 1 ? ("is no message", "it") : ("are no messages", "them")
      parts.append(
        counted(others, "list") + " \(they), though what stands before \(them) says who sends"
          + " (--dialect wamp shows \(them) as malformed)")
    }
    if let unreadLines = unreadLines(score) { parts.append(unreadLines) }
    if let byteless, byteless.hasSomeBytes {
      parts.append(
        "\(byteless.title) prints \(byteless.subject) here, and may leave out some of their"
          + " messages: \(byteless.remedy)")
    }
    if isNewestFirst { parts.append("newest line first, so read from the end") }
    if isTakenForClient {
      parts.append("taken for the client's log, as no line shows which side wrote it")
    }
    if let remark = caveats.remark { parts.append(remark) }
    return InputVerdict(
      "log" + (titles.isEmpty ? "" : " of " + titles.joined(separator: ", ")), messages: messages,
      extent: extent, remarks: parts)
  }

  private func unreadLines(_ score: LogScore) -> String? {
    let count = unread + score.untakenFrames
    if count == 0 { return nil }
    return "\(counted(count, "line")) with a message of which nothing can be read"
  }

  private func nothing(_ score: LogScore, isForced: Bool) -> String {
    var some = doubts(score).map { "; " + $0 }.joined()
    if let unreadLines = unreadLines(score) { some += "; " + unreadLines }
    if !isForced { some += "; for another JSON protocol, name it with --dialect" }
    if isAccessLog {
      return "access log, no message in \(counted(lines, "line")): it says when connections ended"
        + " and how much they took, not what was said; capture that (wamptap -i), or let the"
        + " router log it"
    }
    if let dots {
      return "log of \(dots), no message in \(counted(lines, "line")): it has text and dots in"
        + " place of bytes"
    }
    if let byteless {
      let none = byteless.hasSomeBytes ? "few" : "no"
      return "log of \(byteless.title), no message in \(counted(lines, "line")): it names"
        + " \(byteless.subject), and has \(none) bytes of them; \(byteless.remedy)"
    }
    return "text, no message in \(counted(lines, "line")): looked for lists such as"
      + " [33,1,5862354], as JSON or as programs print them, for JSON behind words such as sent and"
      + " received, and for the lines of \(LogFormats.all.count - 1) programs\(some)"
  }

  /// Lists and JSON that may have been messages.
  private func doubts(_ score: LogScore) -> [String] {
    [
      doubt(score.untaken, "list", "of numbers", "wamp"),
      doubt(score.untakenJSON, "object", "of JSON", "json"), unclaimedLists,
    ].compactMap { $0 }
  }

  private var unclaimedLists: String? {
    if unclaimed == 0 { return nil }
    let (are, them) = unclaimed == 1 ? ("is", "it") : ("are", "them")
    return counted(unclaimed, "list") + " \(are) of no protocol that is read, though what stands"
      + " before \(them) says who sends (--dialect json takes \(them))"
  }

  private func doubt(
    _ count: UInt64, _ noun: StaticString, _ content: StaticString, _ dialect: StaticString
  ) -> String? {
    if count == 0 { return nil }
    let (few, them) = count == 1 ? ("a message", "it") : ("messages", "them")
    return counted(count, "\(noun)") + " \(content) may be \(few), but nothing near \(them)"
      + " confirms it (--dialect \(dialect) takes \(them))"
  }
}
