// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// What renderers get with a message: what joins it with others, and the bytes that its ranges
/// refer to. The message is passed apart: it is large, and copying it for each line takes time.
@frozen public struct MessageView: ~Escapable {
  public let joined: Joined
  /// The message, secrets already replaced.
  public let bytes: RawSpan
  public let notes: Span<Note>
  /// What the message is about; empty when not known.
  public let subject: RawSpan

  @_lifetime(copy bytes, copy notes, copy subject)
  @inlinable public init(
    _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>, subject: RawSpan
  ) {
    self.joined = joined
    (self.bytes, self.notes, self.subject) = (bytes, notes, subject)
  }

  /// The log that a message is of has left out the end of the subject. In a capture, `…` is part of
  /// it.
  public func isSubjectCut(of message: Message) -> Bool {
    let begin = subject.byteCount - 3
    return message.origin.isLine && begin >= 0 && subject.extracting(begin..<begin + 3).equals("…")
  }

  /// Whether a note gives the reason of a message together with the word for it.
  public func hasWord(forReasonOf message: Message) -> Bool {
    notes.indices.contains { notes[$0].kind == .fact && notes[$0].range == message.reason }
  }

  /// The message was pasted: it is of no connection.
  @inlinable public var isPasted: Bool { joined.connection == 0 }
}
