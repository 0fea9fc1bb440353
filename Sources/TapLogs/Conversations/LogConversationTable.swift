// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// All conversations of a log: opens and closes them, and finds the one that a name stands for, or
/// that goes on under another name.
///
/// Several sessions may be logged behind the same words, with no line that tells them apart. What
/// is not certain about a conversation is reported once and remembered: nothing is judged that
/// depends on it.
struct LogConversationTable {
  /// The place of a closed conversation is used for another one.
  var all: ContiguousArray<LogConversation> = []
  /// Places of those that were closed.
  private var free: [Int] = []
  var names = LogConversationNames()
  private var flows: UInt32 = 0
  /// How many are open at most.
  let most: Int
  /// The writer of one that was closed was taken for the client.
  private var hasTakenForClient = false
  /// The text was pasted: its conversations are not marked as logged.
  let isPasted: Bool

  init(_ limits: Limits, isPasted: Bool) { (most, self.isPasted) = (limits.connections, isPasted) }

  /// Whether the writer of any conversation was taken for the client, as nothing showed the side.
  var isTakenForClient: Bool {
    hasTakenForClient || all.contains { !$0.isClosed && $0.writer.isTakenForClient }
  }

  /// Whether one that was opened here still goes on; its place may have been given to another.
  func isOpen(_ conversation: Int, _ flow: UInt32) -> Bool {
    all[conversation].flow == flow && !all[conversation].isClosed
  }

  /// An origin in a conversation.
  func origin(_ origin: Origin, in conversation: Int) -> Origin {
    var origin = origin
    origin.flow = all[conversation].flow
    return origin
  }

  mutating func open(
    _ opening: Opening, at origin: Origin, by writer: LogConversationWriter = .init(),
    _ sink: any EvidenceSink
  ) -> Int {
    if all.count - free.count >= most { evict(sink) }
    flows &+= 1
    let conversation = LogConversation(flow: flows, writer, at: origin)
    var opening = opening
    (opening.provenance.isLogged, opening.provenance.isPasted) = (!isPasted, isPasted)
    sink.opened(opening, Delivery(conversation.last))
    if let place = free.popLast() {
      all[place] = conversation
      return place
    }
    all.append(conversation)
    return all.count - 1
  }

  /// Closes a conversation whose names the caller has removed.
  mutating func close(
    _ conversation: Int, as closing: Closing = Closing(isUnfinished: true), _ sink: any EvidenceSink
  ) {
    sink.closed(closing, Delivery(all[conversation].last))
    all[conversation].isClosed = true
    if all[conversation].writer.isTakenForClient { hasTakenForClient = true }
    if all[conversation].isShared { names.forget { $0 == conversation } }
    free.append(conversation)
  }

  /// Closes a conversation where something says when it ended.
  mutating func close(
    _ conversation: Int, as closing: Closing, at origin: Origin, _ sink: any EvidenceSink
  ) {
    all[conversation].last = self.origin(origin, in: conversation)
    close(conversation, as: closing, sink)
  }

  /// Too many are open: closes the half whose last messages are the oldest.
  private mutating func evict(_ sink: any EvidenceSink) {
    let byAge = all.indices.filter { !all[$0].isClosed }.sorted {
      all[$0].last.record < all[$1].last.record
    }
    for index in byAge.prefix(max(1, byAge.count / 2)) { close(index, sink) }
    let closed = all.map(\.isClosed)
    names.forget { closed[$0] }
    names.unnamed = names.unnamed.mapValues { $0.filter { !closed[$0] } }
      .filter { !$0.value.isEmpty }
  }

  // MARK: - Conversations by name

  /// The conversation of a writer that names no sessions. Asked in this order: its last one; one
  /// begun without a name; one under a looser name; the other half of another format.
  mutating func find(_ entry: LogEntry) -> Int? {
    names.find(entry.name) ?? begunWithoutName(entry.name) ?? underLooserName(entry)
      ?? otherHalf(entry)
  }

  /// The conversation that began before its lines had a name: the session's id comes with WELCOME,
  /// the number of a server of debugpy with what it says of itself.
  private mutating func begunWithoutName(_ name: LogConversationName) -> Int? {
    if DebugpyChannel.isKnown(name.writer) {
      let unknown = names.current.keys.filter {
        DebugpyChannel.isUnknown($0.writer) && $0.nameless == name.nameless
      }
      // Nothing says which of several has got this name: it is shown by itself.
      guard unknown.count == 1, let conversation = names.remove(unknown[0]) else { return nil }
      names.assign(name, conversation)
      return conversation
    }
    guard !name.writer.isEmpty, let conversation = names[name.nameless],
      all[conversation].session.isUnanswered
    else { return nil }
    _ = names.remove(name.nameless)
    names.assign(name, conversation)
    return conversation
  }

  /// A conversation of the same source whose lines have another name. A line without a writer
  /// belongs to the only named conversation that is open. A line with one belongs to the nameless
  /// conversation if that waits for this message.
  private mutating func underLooserName(_ entry: LogEntry) -> Int? {
    let (name, recognition) = (entry.name, entry.recognition)
    if recognition.opensSession || name.session != 0 { return nil }
    var found: Int?
    if name.writer.isEmpty {
      found = onlyOneWithName(name)
    } else if let nameless = names[name.nameless], !all[nameless].isShared,
      all[nameless].exchanges.awaits(entry)
        || recognition.uses != 0 && all[nameless].exchanges.holds(recognition.uses)
    {
      found = nameless
    }
    guard let found else { return nil }
    all[found].isShared = true
    names.assign(name, found)
    return found
  }

  /// The conversation that lines without a name are of, where only one that has a name goes on.
  func onlyOneWithName(_ nameless: LogConversationName) -> Int? {
    guard nameless.writer.isEmpty else { return nil }
    var found: Int?
    for (other, conversation) in names.current
    where !other.writer.isEmpty && other.nameless == nameless
      && !all[conversation].session.isOver
    {
      if found != nil { return nil }
      found = conversation
    }
    return found
  }

  /// The only session that is over, so that lines do not name it any more, and still waits for an
  /// answer.
  func over(awaiting entry: LogEntry) -> Int? {
    guard entry.name.session == 0, entry.recognition.answers != 0 else { return nil }
    var found: Int?
    for (other, conversation) in names.current
    where other.session != 0 && other.sessionless == entry.name
      && all[conversation].session.isOver && all[conversation].exchanges.awaits(entry)
    {
      if found != nil { return nil }
      found = conversation
    }
    return found
  }

  /// Another name has come: lines without one may be of either from here on.
  mutating func endSharing(_ name: LogConversationName) {
    guard !name.writer.isEmpty, let conversation = names[name.nameless], all[conversation].isShared
    else { return }
    _ = names.remove(name.nameless)
  }

  /// The one conversation that was begun by lines of another format and waits for this message, or
  /// lacks its direction: a program may print what it sends and what it receives in different
  /// words.
  mutating func otherHalf(_ entry: LogEntry) -> Int? {
    let (name, match) = (entry.name, entry.match)
    if entry.recognition.opensSession { return nil }
    var found: Int?
    var half: Int?
    var halves = 0
    // Some known programs print only what they receive. What they send may be printed in any words.
    let mayBeHalf = match.format.traits.contains(.generic) || match.format.traits.contains(.partial)
    for (index, format) in LogFormats.all.enumerated()
    where format.traits.contains(.generic) && mayBeHalf
      || match.format.traits.contains(.generic) && format.traits.contains(.partial)
    {
      var other = name
      other.format = LogFormats.family(index)
      guard other != name, let conversation = names[other], conversation != found,
        conversation != half
      else { continue }
      // Of two generic formats, one may print the answer to what the other printed. A known program
      // prints whole exchanges itself.
      if format.traits.contains(.generic) && match.format.traits.contains(.generic)
        && all[conversation].awaits(entry)
      {
        if found != nil { return nil }
        found = conversation
      } else {
        halves += 1
        half = all[conversation].lacks(match.direction) ? conversation : nil
      }
    }
    // A name that has a conversation of its own is not the other half of another.
    let isOnly = halves == 1 && names[name] == nil && name.session == 0
    guard let conversation = found ?? (isOnly ? half : nil) else { return nil }
    names.assign(name, conversation)
    return conversation
  }

  // MARK: - What is not certain

  mutating func reportReuse(_ conversation: Int, _ entry: LogEntry, _ sink: any EvidenceSink) {
    guard all[conversation].doubts.reported.insert(.reuse).inserted else { return }
    note(
      "a request has the number of one that still waits for its answer: this is taken for the same"
        + " session, as the log has the beginning of no other", conversation, entry, sink)
  }

  /// A session begins while another has not ended: a new attempt, or a second client. Only ids that
  /// count up show it later; in a dialect without them, nothing can.
  mutating func noteOverlap(
    of before: Int, and new: Int, _ entry: LogEntry, _ sink: any EvidenceSink
  ) {
    let isCounted = entry.recognition.isCounted
    for index in [before, new] { all[index].doubts.mayOverlap = true }
    if !isCounted { all[new].doubts.hasSeveralSessions = true }
    note(
      "a session begins while another has not ended: this is taken for a new attempt of the same"
        + " client; if it is a second one, what follows may be of either"
        + (isCounted ? "" : ", so nothing is judged that depends on it"), new, entry, sink)
    if isCounted { return }
    // Messages of the former session may be shown with the later one.
    all[before].doubts.hasSeveralSessions = true
    gap(in: before, entry, sink)
  }

  /// Several connections are open, and messages of any of them stand in one conversation.
  mutating func noteSeveralSessions(_ index: Int, _ entry: LogEntry, _ sink: any EvidenceSink) {
    if all[index].doubts.hasSeveralSessions { return }
    all[index].doubts.hasSeveralSessions = true
    gap(in: index, entry, sink)
    guard all[index].doubts.reported.insert(.mixing).inserted else { return }
    sink.finding(
      .sessionsMixed(
        "several connections are open at once, and no line identifies its connection: they are"
          + " shown as one, and nothing is judged that depends on it", .warning,
        origin(entry.origin, in: index)))
  }

  /// A request has the id of one that still waits for its answer: it may be of another connection,
  /// or of the other side.
  /// What waits for an answer now is not judged, and answers that fit several are joined with none.
  mutating func noteSharedRequest(_ index: Int, _ entry: LogEntry, _ sink: any EvidenceSink) {
    gap(in: index, entry, sink)
    all[index].doubts.isMixed = true
    guard all[index].doubts.reported.insert(.mixing).inserted else { return }
    let doubt =
      entry.match.direction == .unsaid
      ? "and no line says who sends: it may be of the other side, or of another connection"
      : "and no line identifies its connection: several may be shown as one"
    sink.finding(
      .sessionsMixed(
        "a request has the id of one that still waits for its answer, \(doubt), so answers to such"
          + " ids are not joined, and what waits is not judged", .warning,
        origin(entry.origin, in: index)))
  }

  /// Two sessions go on at once, and no line says which of them it is about.
  mutating func markMixed(
    _ before: Int, and last: Int, _ entry: LogEntry, _ sink: any EvidenceSink
  ) {
    for index in [before, last] where !all[index].doubts.isMixed {
      markMixed(index, entry, sink)
      if !entry.recognition.isCounted { all[index].doubts.hasSeveralSessions = true }
      if index == before { continue }
      sink.finding(
        .sessionsMixed(
          "two sessions overlap, and no line identifies its session: answers that fit both are"
            + " shown apart, other messages with the later session", .warning,
          origin(entry.origin, in: index)))
    }
  }

  /// What is shown in a conversation may be of another session.
  mutating func markMixed(_ index: Int, _ entry: LogEntry, _ sink: any EvidenceSink) {
    gap(in: index, entry, sink)
    all[index].doubts.isMixed = true
    all[index].doubts.reported.insert(.mixing)
  }

  /// The session without an id that a message belongs to: the oldest of those whose turn it is, or
  /// else that has no answer yet. Those that are asked who they are may be answered in any order.
  mutating func oldest(
    of waiting: [Int], for entry: LogEntry, _ sink: any EvidenceSink
  ) -> Int {
    let direction = entry.match.direction
    let going = waiting.filter { !all[$0].session.isOver }
    let waiting = going.isEmpty ? waiting : going
    let fitting =
      direction == .unsaid ? [] : waiting.filter { all[$0].session.awaits(direction) }
    guard let first = fitting.first else {
      return waiting.first { !all[$0].session.isAnswered } ?? waiting[0]
    }
    if fitting.count > 1 && fitting.contains(where: { all[$0].session.isAnswered }) {
      for index in fitting { all[index].doubts.mayBeOfOthers = true }
      if all[first].doubts.reported.insert(.mixing).inserted {
        sink.finding(
          .sessionsMixed(
            "several sessions begin at once, and no line identifies its session: a message is"
              + " shown with the oldest that it may belong to, and nothing is judged that depends"
              + " on it", .warning, origin(entry.origin, in: first)))
      }
    }
    if all[first].doubts.mayBeOfOthers { gap(in: first, entry, sink) }
    return first
  }

  /// Reports what was decided about a conversation, and may be wrong.
  private func note(
    _ text: String, _ conversation: Int, _ entry: LogEntry, _ sink: any EvidenceSink
  ) {
    let origin = origin(entry.origin, in: conversation)
    sink.finding(
      all[conversation].doubts.hasSeveralSessions
        ? .sessionsMixed(text, .note, origin) : Finding(.logMixed, .note, origin, text))
  }

  private func gap(in conversation: Int, _ entry: LogEntry, _ sink: any EvidenceSink) {
    sink.gap(nil, Delivery(origin(entry.origin, in: conversation)))
  }
}
