// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInflate
import TapTraffic

/// One direction of permessage-deflate (RFC 7692), message after message, also where the messages
/// before it were not captured.
///
/// What a message refers to there cannot be known, but what it carries itself can: it is inflated
/// twice, with two windows that differ in every byte. Where both results agree, no byte of the
/// window was used; where they differ, the byte is unknown. Nothing is guessed, and when the whole
/// window is known again, one inflater goes on alone.
///
/// The window is always the largest, whatever was agreed on: a sender that refers to more than it
/// may is read all the same.
struct Decompression {
  enum Outcome {
    case fine, tooLarge, corrupt
    /// Other connections keep as much for their contexts as all of them may.
    case noRoom
    /// It refers to what was never sent, or, against what was agreed on, to what is not kept.
    case contextBroken
  }

  /// What a sender does though the handshake says otherwise.
  enum Breach: Equatable {
    /// It refers to messages before (RFC 7692 §7.1.1).
    case context
    /// It refers so far back (RFC 7692 §7.1.2).
    case window(distance: Int, bits: Int32)
  }

  private static let window = 1 << 15
  /// What zlib needs beside its window (zconf.h).
  private static let stateBytes = 8 << 10

  /// Base-2 logarithm of the window, 8 to 15.
  var windowBits: Int32 = 15
  /// Messages may refer to those before them (context takeover, RFC 7692 §7.1.1).
  var keepsContext = true
  /// What the sender has broken, until that is told.
  private var breach: Breach?
  /// What is not known any more was captured, and could not be inflated.
  private(set) var isDamaged = false
  /// What it may take of what the contexts of all connections may; nil for all it needs.
  private var room: Reservation?
  private var inflater: Inflater?
  /// What messages may refer to while there is no inflater: much less than that takes.
  private var history = Scratch()
  /// The one with the opposite window; nil while the window is known.
  private var twin: Inflater?
  /// What the twin makes of the message.
  private var other = Scratch()
  private var isWindowKnown = true
  /// Known bytes since the last one that was not.
  private var known = 0
  private var watch = DeflateWatch()

  init(_ contexts: Allowance? = nil) { room = contexts.map { Reservation($0) } }

  private var isWatching: Bool { (!keepsContext || windowBits < 15) && !watch.isOver }

  /// Messages were missed: what the next one refers to is not known.
  ///
  /// - Parameter isDamaged: they were captured, and could not be inflated.
  mutating func loseContext(isDamaged: Bool = false) {
    self.isDamaged = isDamaged
    (isWindowKnown, known) = (!keepsContext, 0)
    (inflater, twin) = (nil, nil)
    history = Scratch()
    room?.giveBack()
    other.removeAll()
    watch.miss()
  }

  /// Inflates a piece of a message and appends it to `text`, unknown bytes as one of the windows
  /// has them.
  ///
  /// - Parameter limit: how many bytes `text` may hold.
  mutating func inflate(_ piece: RawSpan, into text: inout Scratch, limit: Int) -> Outcome {
    if inflater == nil {
      if !reserve() { return .noRoom }
      let window = history
      history = Scratch()
      if !begin(behind: window) { return .corrupt }
    }
    if isWatching { watch.append(piece) }
    let outcome = both(piece, into: &text, limit: limit)
    guard outcome == .contextBroken, !keepsContext, watch.canRepeat else { return outcome }
    // It was agreed that no message refers to another. Who does it all the same never forgets.
    breach = .context
    keepsContext = true
    (isWindowKnown, known) = (watch.isHistoryWhole, 0)
    (inflater, twin) = (nil, nil)
    guard begin(behind: watch.history) else { return .corrupt }
    text.removeAll()
    other.removeAll()
    let packed = watch.packed
    return both(packed.bytes, into: &text, limit: limit)
  }

  /// Takes what an inflater needs, or two where what came before is not known.
  private mutating func reserve() -> Bool {
    room?.reserve((isWindowKnown ? 1 : 2) * (Self.stateBytes + Self.window)) ?? true
  }

  private mutating func both(
    _ piece: RawSpan, into text: inout Scratch, limit: Int
  ) -> Outcome {
    let outcome = Self.inflate(piece, inflater!, into: &text, limit: limit)
    if let twin { _ = Self.inflate(piece, twin, into: &other, limit: limit) }
    return outcome
  }

  /// Whether what was inflated is complete as it is, without the tail that senders remove.
  var isComplete: Bool { inflater?.isAtStreamEnd == true }

  /// Whether a block of deflate may begin behind what was inflated.
  var isBetweenBlocks: Bool { inflater?.isBetweenBlocks == true }

  /// How many bytes of the message are not known; to be asked when all of it was inflated.
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

  /// The text with “·” for each byte that is not known, or whose character has such a byte. Answers
  /// how many bytes before the first of them are certain.
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

  /// What the sender of the message that was inflated breaks for the first time.
  mutating func takeBreach() -> Breach? {
    if windowBits < 15 && isWatching && breach == nil {
      let longest = watch.longestDistance
      if longest > 1 << windowBits {
        breach = .window(distance: longest, bits: windowBits)
        windowBits = 15
      }
    }
    defer { breach = nil }
    return breach
  }

  /// The message is behind us.
  ///
  /// - Parameters:
  ///   - isWhole: nothing of it was missing or could not be inflated.
  ///   - text: all that it says; nil when that was too much.
  ///   - isDamaged: it could not be inflated.
  mutating func endMessage(isWhole: Bool, _ text: Scratch?, isDamaged: Bool) {
    other.removeAll()
    other.shrink(above: 4 << 20)
    breach = nil
    if !isWhole { return loseContext(isDamaged: isDamaged) }
    if isWatching {
      if let text {
        watch.endMessage(text.bytes, keepsHistory: !keepsContext)
      } else {
        watch.miss()
      }
    } else if !watch.isOver {
      watch.end()
    }
    if !keepsContext { inflater?.reset() }
    if twin != nil && known >= Self.window {
      (twin, isWindowKnown) = (nil, true)
    }
    if room?.isAmple == false { retire() }
  }

  /// Keeps no more for the next message than it may refer to.
  private mutating func retire() {
    guard let inflater, twin == nil, inflater.isBetweenBlocks || !keepsContext else { return }
    if keepsContext { inflater.copyWindow(into: &history) }
    self.inflater = nil
    history.shrink(above: 0)
    room?.giveBack()
    if room?.reserve(history.count) == false { loseContext(isDamaged: true) }
  }

  /// What was inflated is not all: nobody can say any more how much of the window is known.
  mutating func overflow() {
    known = 0
    watch.overflow()
  }

  /// - Parameter history: what is known of the text before.
  private mutating func begin(behind history: Scratch = Scratch()) -> Bool {
    guard let first = Inflater(windowBits: 15) else { return false }
    inflater = first
    if isWindowKnown {
      if !history.isEmpty { first.reset(window: history.bytes) }
      return true
    }
    guard let second = Inflater(windowBits: 15) else { return false }
    twin = second
    known = history.count
    let past = history.bytes.copied()
    for (inflater, octet) in [(first, UInt8(0x00)), (second, 0xFF)] {
      let window = [UInt8](repeating: octet, count: Self.window - past.count) + past
      inflater.reset(window: window.span.bytes)
    }
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
      case .unknownContext: return .contextBroken
      case .corrupt: return .corrupt
      }
    }
  }
}
