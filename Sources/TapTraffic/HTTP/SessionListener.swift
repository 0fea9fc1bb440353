// SPDX-License-Identifier: Apache-2.0

/// Passes on what the WebSocket of a session reports. The end of the WebSocket is the end of the
/// session only if the session has moved to it.
final class SessionListener: Listener {
  private let session: SpanningSession
  /// The session moved to another WebSocket before: the end of this one ends nothing.
  private let isSuperseded: Bool
  /// The actual listener, set for the length of a call.
  var target: (any Listener)?

  init(_ session: SpanningSession) {
    self.session = session
    isSuperseded = session.endsWithWebSocket
  }

  func opened(_ opening: Opening, _ delivery: Delivery) { target?.opened(opening, delivery) }

  func refused(_ attempt: Opening, _ delivery: Delivery) { target?.refused(attempt, delivery) }

  func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    if !session.isClosed { target?.message(message, bytes, notes) }
  }

  func framed(_ framing: Framing) { target?.framed(framing) }

  func sent(_ octets: RawSpan, trailing: Int, as serializer: StaticString) {
    target?.sent(octets, trailing: trailing, as: serializer)
  }

  func subject(_ uri: RawSpan) { target?.subject(uri) }

  func lesson(_ lesson: LearnedName, _ bytes: RawSpan, in message: Message) {
    target?.lesson(lesson, bytes, in: message)
  }

  func finding(_ finding: Finding) {
    if !session.isClosed { target?.finding(finding) }
  }

  func keepAlive(_ keepAlive: KeepAlive, _ delivery: Delivery) {
    if !session.isClosed { target?.keepAlive(keepAlive, delivery) }
  }

  func closed(_ closing: Closing, _ delivery: Delivery) {
    guard session.endsWithWebSocket, !isSuperseded, let target else { return }
    let ending: Ending =
      closing.isUnfinished ? .endOfEvidence : closing.isReset ? .reset : .closed
    session.close(closing, ending, delivery, target)
  }

  func account(_ fate: Fate, _ bytes: Int) { target?.account(fate, bytes) }

  func count(_ thing: Counter, _ amount: Int) { target?.count(thing, amount) }
}
