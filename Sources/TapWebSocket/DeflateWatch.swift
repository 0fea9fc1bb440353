// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInflate

/// What is kept of a sender that agreed to refer to less than it could (RFC 7692 §7.1), so that its
/// messages can be read even if it breaks that agreement.
///
/// A compressor either knows of the agreement or does not. So after enough messages that would have
/// shown a breach, nothing is kept any more.
struct DeflateWatch {
  /// Bytes that are kept of a message, and (`window`) of the text before it.
  private static let mostPacked = 1 << 20
  private static let window = 1 << 15
  /// Bytes of a message whose distances are examined.
  private static let mostWalked = 64 << 10
  /// How many messages, and bytes of text, are enough to trust the sender.
  private static let enough = (messages: 128, octets: 1 << 16)

  /// The bytes of the message so far, as they were sent.
  private(set) var packed = Scratch()
  /// The latest text of earlier messages, up to a full window.
  private(set) var history = Scratch()
  /// The history lacks nothing: it goes back to the beginning of the connection, or fills the
  /// window.
  private(set) var isHistoryWhole = true
  private(set) var isOver = false
  private var isPackedWhole = true
  private var seen = (messages: 0, octets: 0)

  /// Whether the message can be inflated again from its beginning.
  var canRepeat: Bool { !isOver && isPackedWhole }

  mutating func append(_ piece: RawSpan) {
    if packed.count + piece.byteCount > Self.mostPacked { isPackedWhole = false }
    if isPackedWhole { packed.append(piece) }
  }

  /// The longest distance back that the message refers to, in the part that is examined.
  var longestDistance: Int {
    DeflateDistances.longest(in: packed.bytes.extracting(0..<min(packed.count, Self.mostWalked)))
  }

  /// The message has ended with this text.
  ///
  /// - Parameter keepsHistory: whether later messages must not refer to it.
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

  /// The message is too large to keep, and so its history is dropped, too.
  mutating func overflow() {
    miss()
    isPackedWhole = false
  }

  /// A message was missed, or not fully inflated.
  mutating func miss() {
    history.removeAll()
    packed.removeAll()
    (isHistoryWhole, isPackedWhole) = (false, true)
  }

  /// Stops watching the sender.
  mutating func end() {
    isOver = true
    (packed, history) = (Scratch(), Scratch())
  }
}
