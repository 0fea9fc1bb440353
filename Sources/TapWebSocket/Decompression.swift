// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInflate

/// One direction of permessage-deflate (RFC 7692), message after message, also where the messages
/// before it were not captured.
///
/// What a message refers to there cannot be known, but what it carries itself can: it is inflated
/// twice, with two windows that differ in every octet. Where both results agree, no octet of the
/// window was used; where they differ, the octet is unknown. Nothing is guessed, and when the whole
/// window is known again, one inflater goes on alone.
struct Decompression {
  enum Outcome {
    case fine, tooLarge, contextLost, corrupt
    /// All that it may refer to is known, and it refers to something before that.
    case contextBroken
  }

  /// Base-2 logarithm of the window, 8 to 15.
  var windowBits: Int32 = 15
  /// Messages may refer to those before them (context takeover, RFC 7692 §7.1.1).
  var keepsContext = true
  private var inflater: Inflater?
  /// The one with the opposite window; nil while the window is known.
  private var twin: Inflater?
  /// What the twin makes of the message.
  private var other = Scratch()
  private var isWindowKnown = true
  /// Known octets since the last one that was not.
  private var known = 0

  /// Messages were missed: what the next one refers to is not known.
  mutating func loseContext() {
    (isWindowKnown, known) = (!keepsContext, 0)
    (inflater, twin) = (nil, nil)
    other.removeAll()
  }

  /// Inflates a piece of a message and appends it to `text`, unknown octets as one of the windows
  /// has them.
  ///
  /// - Parameter limit: how many octets `text` may hold.
  mutating func inflate(_ piece: RawSpan, into text: inout Scratch, limit: Int) -> Outcome {
    if inflater == nil && !begin() { return .corrupt }
    let outcome = Self.inflate(piece, inflater!, into: &text, limit: limit)
    guard let twin else { return outcome == .contextLost ? .contextBroken : outcome }
    _ = Self.inflate(piece, twin, into: &other, limit: limit)
    return outcome
  }

  /// Whether what was inflated is complete as it is, without the tail that senders remove.
  var isComplete: Bool { inflater?.isAtStreamEnd == true }

  /// How many octets of the message are not known; to be asked when all of it was inflated.
  mutating func unknownBytes(of text: Scratch) -> Int {
    guard twin != nil else { return 0 }
    let found = Self.compare(text.bytes, other.bytes, known: known)
    known = found.known
    return found.unknown
  }

  private static func compare(
    _ these: RawSpan, _ those: RawSpan, known: Int
  ) -> (unknown: Int, known: Int) {
    var found = (unknown: 0, known: known)
    for at in 0..<these.byteCount {
      if these.byte(at: at) == those.byte(at: at) {
        found.known += 1
      } else {
        found = (found.unknown + 1, 0)
      }
    }
    return found
  }

  /// The text with “·” for each octet that is not known, and for those of characters of which one
  /// is not known. Answers how many octets before the first of them are certain.
  func mark(_ text: Scratch, into marked: inout Scratch) -> Int {
    let (these, those) = (text.bytes, other.bytes)
    var certain: Int?
    var at = 0
    while at < these.byteCount {
      let length = UTF8.scalar(in: these, at: at)?.length ?? 1
      let isKnown = (at..<at + length).allSatisfy { these.byte(at: $0) == those.byte(at: $0) }
      if isKnown && (length > 1 || these.byte(at: at) < 0x80) {
        marked.append(these.extracting(at..<at + length))
        at += length
      } else {
        if certain == nil { certain = marked.count }
        marked.append("·" as StaticString)
        at += 1
      }
    }
    return certain ?? marked.count
  }

  /// The message is behind us.
  ///
  /// - Parameter isWhole: nothing of it was missing or could not be inflated.
  mutating func endMessage(isWhole: Bool) {
    other.removeAll()
    other.shrink(above: 4 << 20)
    if !isWhole { return loseContext() }
    if !keepsContext { inflater?.reset() }
    if twin != nil && known >= 1 << windowBits {
      (twin, isWindowKnown) = (nil, true)
    }
  }

  /// What was inflated is not all: nobody can say any more how much of the window is known.
  mutating func overflow() { known = 0 }

  private mutating func begin() -> Bool {
    guard let first = Inflater(windowBits: windowBits) else { return false }
    inflater = first
    if isWindowKnown { return true }
    guard let second = Inflater(windowBits: windowBits) else { return false }
    twin = second
    // zlib takes 512 octets for the smallest window.
    let size = 1 << max(9, windowBits)
    let (zeros, ones) = (
      [UInt8](repeating: 0x00, count: size), [UInt8](repeating: 0xFF, count: size)
    )
    first.reset(window: zeros.span.bytes)
    second.reset(window: ones.span.bytes)
    return true
  }

  private static func inflate(
    _ piece: RawSpan, _ inflater: Inflater, into text: inout Scratch, limit: Int
  ) -> Outcome {
    var at = 0
    while true {
      switch inflater.inflate(piece.dropping(at), into: &text, limit: limit) {
      case .done: return .fine
      case .streamEnd(let consumed):
        // RFC 7692 §7.2.3.4: a final block does not end the message's stream for good.
        at += consumed
        if at >= piece.byteCount || consumed == 0 { return .fine }
      case .tooLarge: return .tooLarge
      case .unknownContext: return .contextLost
      case .corrupt: return .corrupt
      }
    }
  }
}
