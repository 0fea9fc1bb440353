// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// What the lines of a conversation have in common.
struct LogConversationName: Hashable {
  /// What kind of content it has. Content of another kind behind the same words belongs to another
  /// conversation.
  enum Content {
    case messages
    /// Bytes of its stream.
    case stream
    /// Objects with a mark of their own.
    case markedObjects
    /// JSON that is a message because it was sent.
    case sentJSON
  }

  /// Index in `LogFormats.all` of the first format of its family.
  var format: Int
  var writer: String
  var source: String
  /// Which end of connections writes, where both write into one log.
  var end: LogEnd
  /// 0 where the format names none.
  var session: UInt64
  var content = Content.messages
  /// Several sessions are open: messages that may belong to any of them are kept apart under this
  /// name.
  var isUnsure = false

  /// The part of the name that messages, handshakes and frames of a line have in common.
  @inline(__always)  // Or else all of the candidate is copied for each call.
  init(_ candidate: LogCandidate) {
    format = LogFormats.family((candidate.match ?? LogFormats.unmarked).formatIndex)
    (writer, source) = (candidate.writer, candidate.source)
    (session, end) = (candidate.session, candidate.end)
  }

  /// The name for a message, whose kind may set it apart.
  @inline(__always)
  init(ofMessage candidate: LogCandidate) {
    self.init(candidate)
    // Behind the marks of a known program all messages belong together, of whatever kind they are.
    if candidate.match?.isCertain == true { return }
    if candidate.recognition.needsSender {
      content = .sentJSON
    } else if candidate.traits.contains(.markedObject) {
      content = .markedObjects
    }
  }

  @inline(__always)
  init(ofStream candidate: LogCandidate) {
    self.init(candidate)
    (content, session) = (.stream, 0)
  }

  /// The same without the id of a session.
  var sessionless: LogConversationName {
    var name = self
    name.session = 0
    return name
  }

  /// The same without a writer.
  var nameless: LogConversationName {
    var name = self
    name.writer = ""
    return name
  }
}
