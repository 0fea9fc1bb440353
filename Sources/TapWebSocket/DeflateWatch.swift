// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInflate

/// What is kept of a sender that agreed to refer to less than it could (RFC 7692 §7.1), so that its
/// messages can be read when it does not keep to that.
///
/// A compressor was told of what was agreed on, or it was not: after many messages that would have
/// shown it, nothing is kept any more.
struct DeflateWatch {
  /// Of a message, and of what is before it.
  private static let mostPacked = 1 << 20
  private static let window = 1 << 15
  /// Of a message, what is walked for distances.
  private static let mostWalked = 64 << 10
  /// Messages, and bytes of text, that show enough.
  private static let enough = (messages: 128, octets: 1 << 16)

  /// The bytes of the message so far, as they were sent.
  private(set) var packed = Scratch()
  /// The latest text of the messages before it, up to a whole window.
  private(set) var history = Scratch()
  /// Nothing before the history was missed: it begins with the connection, or is a whole window.
  private(set) var isHistoryWhole = true
  private(set) var isOver = false
  private var isPackedWhole = true
  private var seen = (messages: 0, octets: 0)

  /// Whether the message can be inflated once more, from its beginning.
  var canRepeat: Bool { !isOver && isPackedWhole }

  mutating func append(_ piece: RawSpan) {
    if packed.count + piece.byteCount > Self.mostPacked { isPackedWhole = false }
    if isPackedWhole { packed.append(piece) }
  }

  /// How far back the message refers at most, as far as it is looked at.
  var longestDistance: Int {
    DeflateDistances.longest(in: packed.bytes.extracting(0..<min(packed.count, Self.mostWalked)))
  }

  /// The message is behind us, and said this.
  ///
  /// - Parameter keepsHistory: whether those behind it must not refer to it.
  mutating func endMessage(_ text: RawSpan, keepsHistory: Bool) {
    seen.messages += 1
    seen.octets += text.byteCount
    if seen.messages >= Self.enough.messages && seen.octets >= Self.enough.octets { return end() }
    packed.removeAll()
    packed.shrink(above: Self.mostWalked)
    isPackedWhole = true
    if !keepsHistory { return }
    if text.byteCount >= Self.window {
      history.removeAll()
      history.append(text.dropping(text.byteCount - Self.window))
      isHistoryWhole = true
    } else {
      let excess = history.count + text.byteCount - Self.window
      if excess > 0 {
        history.removeFirst(excess)
        isHistoryWhole = true
      }
      history.append(text)
    }
  }

  /// The rest of the message is not kept, and nothing before it.
  mutating func overflow() {
    miss()
    isPackedWhole = false
  }

  /// A message was missed, or not inflated to its end.
  mutating func miss() {
    history.removeAll()
    packed.removeAll()
    (isHistoryWhole, isPackedWhole) = (false, true)
  }

  /// Nothing more is to be kept.
  mutating func end() {
    isOver = true
    (packed, history) = (Scratch(), Scratch())
  }
}
