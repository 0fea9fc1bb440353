// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInflate
import TapTraffic

/// One direction of permessage-deflate (RFC 7692). It can go on even if earlier messages were not
/// captured.
///
/// A message may then refer to bytes that are not known, but its own bytes are. So it is inflated
/// twice, with two windows that differ in every byte. Where both results agree, the byte does not
/// come from the window; where they differ, it is unknown. Nothing is guessed, and once the whole
/// window is known again, one inflater goes on alone.
///
/// The window always has the maximum size, whatever was negotiated, so that a sender that refers
/// further back than it may can still be read.
struct Decompression: ~Copyable {
  enum Outcome {
    case fine, tooLarge, corrupt
    /// All connections together keep as much for their contexts as they may.
    case noRoom
    /// It refers to bytes that were never sent, or, against what was negotiated, to bytes that were
    /// not kept.
    case contextBroken
  }

  /// What a sender does against the negotiated parameters.
  enum Breach: Equatable {
    /// It refers to earlier messages (RFC 7692 §7.1.1).
    case context
    /// It refers back further than the window (RFC 7692 §7.1.2).
    case window(distance: Int, bits: Int32)
  }

  private static let window = 1 << 15
  /// What zlib needs besides its window, in bytes (zconf.h).
  private static let stateBytes = 8 << 10

  /// Base-2 logarithm of the negotiated window, 8 to 15.
  var windowBits: Int32 = 15
  /// Messages may refer to those before them (context takeover, RFC 7692 §7.1.1).
  var keepsContext = true
  /// The rule that the sender broke, until that is reported.
  private var breach: Breach?
  /// The unknown bytes were captured, but could not be inflated.
  private(set) var isDamaged = false
  /// Reservation of memory for contexts, which all connections share; nil for no bound.
  private var room: Reservation?
  private var inflater: Inflater?
  /// The window, kept while there is no inflater: it takes much less memory.
  private var history = Scratch()
  /// The inflater with the second window; nil while the window is known.
  private var twin: Inflater?
  /// The message as the twin inflates it.
  private var other = Scratch()
  private var isWindowKnown = true
  /// Number of known bytes since the last unknown one.
  private var known = 0
  private var watch = DeflateWatch()

  init(_ contexts: Allowance? = nil) {
    room = contexts.map { Reservation($0, share: 4 << 10) }
  }

  private var isWatching: Bool { (!keepsContext || windowBits < 15) && !watch.isOver }

  /// Messages were missed, so the bytes that the next one may refer to are unknown.
  ///
  /// - Parameter isDamaged: they were captured, but could not be inflated.
  mutating func loseContext(isDamaged: Bool = false) {
    self.isDamaged = isDamaged
    (isWindowKnown, known) = (!keepsContext, 0)
    (inflater, twin) = (nil, nil)
    history = Scratch()
    room?.giveBack()
    other.removeAll()
    watch.miss()
  }

  /// Inflates a piece of a message and appends it to `text`. Unknown bytes come from one of the
  /// windows.
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
    // It was negotiated that messages do not refer to earlier ones. A sender that does so keeps its
    // context.
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

  /// Reserves memory for an inflater, or for two where earlier messages are unknown.
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

  /// Whether the message is complete without the tail that senders remove.
  var isComplete: Bool { inflater?.isAtStreamEnd == true }

  /// Whether the data so far ends between two deflate blocks.
  var isBetweenBlocks: Bool { inflater?.isBetweenBlocks == true }

  /// How many bytes of the message are unknown; call it once all of it is inflated.
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

  /// Appends the text to `marked`, with “·” for each unknown byte, and for the other bytes of its
  /// character. Returns how many bytes before the first “·” are certain.
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

  /// A rule that the sender of this message broke for the first time.
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

  /// The message has ended.
  ///
  /// - Parameters:
  ///   - isWhole: all of it was captured and inflated.
  ///   - text: all of its text; nil when it was too large to keep.
  ///   - isDamaged: it was captured, but could not be inflated.
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

  /// Keeps only the window for the next message, not the inflater.
  private mutating func retire() {
    guard let inflater, twin == nil, inflater.isBetweenBlocks || !keepsContext else { return }
    history = Scratch()
    if keepsContext {
      var window = Scratch()
      inflater.copyWindow(into: &window)
      // `window` has room for the largest one; of most connections it is much smaller.
      history.append(window.bytes)
    }
    self.inflater = nil
    room?.giveBack()
    if room?.reserve(history.count) == false { loseContext(isDamaged: true) }
  }

  /// The rest of the message was not inflated, so it is not known any more how much of the window
  /// is known.
  mutating func overflow() {
    known = 0
    watch.overflow()
  }

  /// - Parameter history: the known text of earlier messages.
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
        // RFC 7692 §7.2.3.4: the message may go on after a final block.
        at += consumed
        if at >= piece.byteCount || consumed == 0 { return .fine }
      case .tooLarge: return .tooLarge
      case .unknownContext: return .contextBroken
      case .corrupt: return .corrupt
      }
    }
  }
}
