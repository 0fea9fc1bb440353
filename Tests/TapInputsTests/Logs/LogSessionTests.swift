// SPDX-License-Identifier: Apache-2.0
import TapTraffic
import Testing

@testable import TapLogs

/// How far the session of a conversation has come.
@Suite("Session of a log") struct LogSessionTests {
  private func recognition(_ change: (inout Recognition) -> Void) -> Recognition {
    var recognition = Recognition(.likely)
    change(&recognition)
    return recognition
  }

  @Test("it begins, is answered, and ends") func phases() {
    var session = LogSession()
    #expect(session.phase == .unknown && !session.isUnanswered && !session.isUsed)
    session.begin()
    #expect(session.isUnanswered && !session.isUsed)
    session.isAnswered = true
    #expect(!session.isUnanswered && session.isUsed)
    session.end()
    #expect(session.phase == .ended && session.isUsed)
    session.begin()
    #expect(session.isUnanswered && !session.isUsed)
    session.end()
    #expect(session.isUsed && !session.isUnanswered)
  }

  @Test("it is over when both sides have said so, and not when one says it twice") func farewells()
  {
    let bye = recognition { $0.ends = true }
    var session = LogSession()
    session.note(bye, .sent)
    #expect(session.hasEnded(.sent) && !session.hasEnded(.received) && !session.isOver)
    session.note(bye, .sent)
    #expect(!session.isOver)
    session.note(bye, .received)
    #expect(session.isOver)
    session.note(recognition { $0.begins = true }, .sent)
    #expect(!session.isOver && !session.hasEnded(.sent) && !session.isWelcomed)
  }

  @Test("who is given a number is welcomed, until another begins") func welcome() {
    var session = LogSession()
    session.note(recognition { _ in }, .received)
    #expect(!session.isWelcomed)
    session.note(recognition { $0.session = 7 }, .received)
    #expect(session.isWelcomed)
    session.note(recognition { $0.begins = true }, .sent)
    #expect(!session.isWelcomed)
  }
}
