// SPDX-License-Identifier: Apache-2.0
import TapEvidence
import TapTraffic
import Testing

@testable import TapLogs

/// To which of a writer's sessions a message belongs.
@Suite("Placement of a logged message") struct LogPlacementTests {
  private static let former = 0
  private static let last = 1
  private static let name = {
    LogConversationName(
      LogCandidate(
        recognition: .none, kind: .text, match: LogMatch(words: .sent), shape: 0, origin: Origin()))
  }()

  private typealias Session = LogConversation

  /// Where a message goes that was sent in the last session of its writer.
  ///
  /// - Parameter former: what is known of the session before it; nil where there is none.
  private func placement(
    _ message: Recognition, former: ((inout Session) -> Void)? = nil,
    last: (inout Session) -> Void = { _ in }
  ) -> LogPlacement {
    var table = LogConversationTable(Limits(), isPasted: false)
    for _ in [Self.former, Self.last] {
      let opening = Opening(.webSocket, client: .unknown, server: .unknown, isFromStart: true)
      _ = table.open(opening, at: Origin(), NullSink())
    }
    if let former {
      table.names.former[Self.name] = Self.former
      former(&table.all[Self.former])
    }
    last(&table.all[Self.last])
    return LogPlacement(of: Self.entry(message), behind: Self.last, in: &table)
  }

  private static func entry(_ message: Recognition) -> LogEntry {
    LogEntry(name: name, match: LogMatch(words: .sent), recognition: message, origin: Origin())
  }

  /// A request that only clients send.
  private let request = {
    var request = Recognition(.likely)
    (request.opens, request.direction) = (5, .toServer)
    return request
  }()

  private func message(_ change: (inout Recognition) -> Void = { _ in }) -> Recognition {
    var recognition = Recognition(.likely)
    change(&recognition)
    return recognition
  }

  private func asks(_ request: UInt64) -> (inout Session) -> Void {
    { $0.exchanges.note(Self.entry(message { $0.opens = request })) }
  }

  private func ends(_ directions: LogDirection...) -> (inout Session) -> Void {
    { for direction in directions { $0.session.note(message { $0.ends = true }, direction) } }
  }

  private let isNew: (inout Session) -> Void = { _ in }

  @Test("a writer with one session") func one() {
    let hello = message { $0.begins = true }
    let welcome = message { $0.session = 8 }
    #expect(placement(message()) == .last)
    #expect(placement(hello, last: { $0.session.begin() }) == .last)
    #expect(placement(hello, last: { $0.session.end() }) == .newSession)
    #expect(placement(hello, last: { $0.session.isAnswered = true }) == .newSession)
    #expect(placement(welcome, last: { $0.session.begin() }) == .last)
    #expect(placement(welcome, last: { $0.session.note(welcome, .received) }) == .newSession)
    #expect(placement(welcome, last: asks(5)) == .newSession)
    #expect(placement(request, last: asks(6)) == .last)
    #expect(placement(request, last: asks(5)) == .unbegunSession)
    let begun: (inout Session) -> Void = {
      $0.session.begin()
      asks(5)(&$0)
    }
    #expect(placement(request, last: begun) == .reusedRequest)
  }

  @Test("a request that either side may send, with an id that waits") func eitherSide() {
    let request = message { $0.opens = 5 }
    #expect(placement(request, last: asks(5)) == .sharedRequest)
    #expect(placement(request, last: asks(6)) == .last)
    let begun: (inout Session) -> Void = {
      $0.session.begin()
      asks(5)(&$0)
    }
    #expect(placement(request, last: begun) == .last)
    // What begins itself is of another connection, which may have the same ids.
    let initialize = message { ($0.opens, $0.begins, $0.isUsualDirection) = (5, true, true) }
    #expect(placement(initialize, last: begun) == .sharedRequest)
    #expect(placement(initialize, last: { $0.session.beginAmongOthers() }) == .last)
    #expect(placement(initialize, last: { $0.session.end() }) == .newSession)
    let second: (inout Session) -> Void = {
      $0.session.note(message(), .sent)
      $0.session.beginAmongOthers()
      asks(5)(&$0)
    }
    #expect(placement(request, last: second) == .sharedRequest)
    // The other side has ids of its own.
    let other: (inout Session) -> Void = {
      $0.exchanges.note(Self.entry(message { ($0.opens, $0.direction) = (5, .toClient) }))
    }
    #expect(placement(request, last: other) == .last)
  }

  @Test("a request whose number waits in the last session is of the former one, or of either")
  func requests() {
    let former = Self.former
    #expect(placement(request, former: isNew, last: asks(5)) == .overlap(former: former, .former))
    #expect(placement(request, former: asks(5), last: asks(5)) == .overlap(former: former, .either))
  }

  @Test("what only the former session waits for, or has granted, or can still end, is of that")
  func both() {
    let isOfFormer = LogPlacement.overlap(former: Self.former, .former)
    let answer = message { $0.answers = 5 }
    #expect(placement(answer, former: asks(5)) == isOfFormer)
    #expect(placement(answer, former: asks(6)) == .last)
    let event = message { $0.uses = 7 }
    let granted: (inout Session) -> Void = {
      $0.exchanges.note(Self.entry(message { $0.grants = 7 }))
    }
    #expect(placement(event, former: granted) == isOfFormer)
    #expect(placement(event, former: granted, last: granted) == .last)
    let goodbye = message { $0.ends = true }
    #expect(placement(goodbye, former: isNew, last: ends(.sent)) == isOfFormer)
    #expect(placement(goodbye, former: ends(.sent), last: ends(.sent)) == .last)
    #expect(placement(message(), former: isNew, last: ends(.sent, .received)) == isOfFormer)
  }

  @Test("what both wait for is of the last session, until it is known that both go on")
  func either() {
    let answer = message { $0.answers = 5 }
    #expect(placement(answer, former: asks(5), last: asks(5)) == .last)
    let mixed: (inout Session) -> Void = {
      $0.doubts.isMixed = true
      asks(5)(&$0)
    }
    #expect(placement(answer, former: asks(5), last: mixed) == .either)
    let counted: (inout Session) -> Void = {
      $0.exchanges.note(Self.entry(message { $0.sequence = 3 }))
    }
    let repeated = message { $0.sequence = 2 }
    #expect(
      placement(repeated, former: isNew, last: counted)
        == .overlap(former: Self.former, .last))
  }
}
