// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Where a message belongs whose line names no session: to the last conversation of its name, to
/// the former one, which may go on beside the last, or to a new one. This only decides;
/// `LogConversations` carries it out.
enum LogPlacement: Equatable {
  enum Choice {
    case last, former
    /// Both may wait for it, or neither.
    case either
  }

  /// Nothing speaks against the last conversation.
  case last
  /// Another session of the same writer begins.
  case newSession
  /// A request has the number of one that still waits for its answer, and the log has the beginning
  /// of no other session than the last.
  case reusedRequest
  /// Such a request, where the log lacks the beginning of the last session: it lacks that of
  /// another, too.
  case unbegunSession
  /// The same in a protocol whose messages do not show which side they are of: what is one's, and
  /// what another's, cannot be told. If lines do not say it either, that holds for two sides of one
  /// connection, too.
  case sharedRequest
  /// It shows that the former session goes on beside the last.
  case overlap(former: Int, Choice)
  /// Both are known to go on, and both wait for it.
  case either

  /// - Parameters:
  ///   - last: the last conversation of the entry's name.
  ///   - table: not changed; lent, as all of it would be copied else.
  init(of entry: LogEntry, behind last: Int, in table: inout LogConversationTable) {
    let recognition = entry.recognition
    let former = table.names.former.isEmpty ? nil : table.names.former[entry.name]
    let session = table.all[last].session
    if recognition.begins && (recognition.opensSession ? session.isUsed : session.phase == .ended)
      || recognition.session != 0 && table.all[last].isTaken
    {
      self = .newSession
    } else if table.all[last].exchanges.isOpen(entry.opens) {
      self = Self.ofRepeatedRequest(entry, former, last, &table)
    } else if let former {
      self = Self.between(former, last, entry, &table)
    } else {
      self = .last
    }
  }

  private static func ofRepeatedRequest(
    _ entry: LogEntry, _ former: Int?, _ last: Int, _ table: inout LogConversationTable
  ) -> LogPlacement {
    if let former {
      return .overlap(
        former: former, table.all[former].exchanges.isOpen(entry.opens) ? .either : .former)
    }
    let isBegun =
      table.all[last].session.phase == .open && !table.all[last].doubts.isMixed
      && !entry.recognition.begins
    if entry.recognition.isOfEitherSide {
      // Where lines do not say who sends, both ends may print it, or the other side has sent
      // another. Else, of a connection that lines name, or whose beginning is the first message of
      // the log, it is a fault.
      let mayBeOfOther =
        entry.match.direction == .unsaid
        ? !table.all[last].exchanges.isPrintedAgain(entry)
        : entry.name.writer.isEmpty && !isBegun
      return mayBeOfOther ? .sharedRequest : .last
    }
    return isBegun ? .reusedRequest : .unbegunSession
  }

  private static func between(
    _ former: Int, _ last: Int, _ entry: LogEntry, _ table: inout LogConversationTable
  ) -> LogPlacement {
    let recognition = entry.recognition
    let waitsFormer = table.all[former].exchanges.awaits(entry)
    let waitsLast = table.all[last].exchanges.awaits(entry)
    // Unless something shows that both go on, the former one was left without an end.
    if table.all[last].doubts.isMixed && waitsFormer && waitsLast { return .either }
    let isAnswer = waitsFormer && !waitsLast
    let isEnd =
      recognition.ends && table.all[last].session.hasEnded(entry.match.direction)
      && !table.all[former].session.hasEnded(entry.match.direction)
    let isHeld =
      recognition.uses != 0 && table.all[former].exchanges.holds(recognition.uses)
      && !table.all[last].exchanges.holds(recognition.uses)
    let isLeft =
      table.all[last].session.isOver && !table.all[former].session.isOver && !recognition.begins
      && !waitsLast
    if isAnswer || isEnd || isHeld || isLeft { return .overlap(former: former, .former) }
    return table.all[last].exchanges.repeats(recognition)
      ? .overlap(former: former, .last) : .last
  }
}
