// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// What the lines of a conversation have in common.
struct LogConversationName: Hashable {
  /// What it has beside messages that are lists, which other messages behind the same words are
  /// not of.
  enum Content {
    case messages
    /// Bytes of its stream.
    case stream
    /// Objects with a mark of their own.
    case markedObjects
    /// JSON that is a message because it was sent.
    case sentJSON
  }

  /// The first of its family, in `LogFormats.all`.
  var format: Int
  var writer: String
  var source: String
  /// Lines of the other end of connections, where both ends write into one log.
  var isOtherEnd: Bool
  /// 0 where the format names none.
  var session: UInt64
  var content = Content.messages
  /// Several sessions are open, and what belongs to either is in none of them.
  var isUnsure = false

  /// What all messages, handshakes and frames of its lines have in common.
  @inline(__always)  // Or else all of the candidate is copied for each call.
  init(_ candidate: LogCandidate) {
    format = LogFormats.family((candidate.match ?? LogFormats.unmarked).format)
    (writer, source) = (candidate.writer, candidate.source)
    (session, isOtherEnd) = (candidate.session, candidate.isOtherEnd)
  }

  /// Of the message itself.
  @inline(__always)
  init(ofMessage candidate: LogCandidate) {
    self.init(candidate)
    // A program that is known prints messages behind its marks, whatever they are.
    if candidate.match?.form.traits.contains(.generic) == false { return }
    if candidate.recognition.needsSender {
      content = .sentJSON
    } else if candidate.isMarkedObject {
      content = .markedObjects
    }
  }

  @inline(__always)
  init(ofStream candidate: LogCandidate) {
    self.init(candidate)
    (content, session) = (.stream, 0)
  }

  /// The same without a writer.
  var nameless: LogConversationName {
    var name = self
    name.writer = ""
    return name
  }
}
