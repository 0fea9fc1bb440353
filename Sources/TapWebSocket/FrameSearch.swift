// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Finds where WebSocket frames begin in bytes whose framing is not known: after a gap, or when the
/// capture began in mid-stream.
///
/// A place is believed when the frames that begin there form a chain with enough evidence: text
/// that is UTF-8 and looks like JSON, control frames that keep the rules, borders that fall
/// together with those of TCP segments. The answer depends on the bytes and their segments alone,
/// not on how many of them were there when it was asked; a place that cannot be judged yet is
/// waited for.
public struct FrameSearch {
  public enum Answer: Equatable {
    case found(at: Int, isMasked: Bool)
    /// Nothing before this offset; from there on more bytes are needed.
    case undecided(from: Int)
  }

  /// Points from which a place is believed in what is WebSocket, as was known before.
  public static let enough = 5
  /// Points from which bytes are believed to be WebSocket at all: two frames that each fill a
  /// segment, or one whose text is JSON. Of random segments, one in some 10^7 pairs looks so.
  public static let enoughForStreams = 8
  /// A frame longer than this must show what it is by its first bytes, or it is not waited for.
  static let patientLength: UInt64 = 64 << 10
  /// So many bytes of a long text are looked at before the rest of it has come.
  private static let beginning = 64

  /// The bytes to search.
  public private(set) var held = ResyncBuffer()
  private var plain = Scratch()
  private var resumeAt = 0
  /// How many bytes are known to be missing behind those held.
  var missing: Int?

  public init() {}

  public var count: Int { held.count }

  public mutating func append(_ bytes: RawSpan, _ delivery: Delivery) {
    held.append(bytes, delivery)
  }

  public mutating func removeAll() {
    held.removeAll()
    resumeAt = 0
  }

  /// - Parameters:
  ///   - masked: whether the sender masks; nil when that is not known either.
  ///   - compressed: whether frames may have RSV1 set (RFC 7692 §6).
  ///   - isEnd: no more bytes will come, so what cannot be judged yet never will be.
  ///   - enough: points from which a place is believed.
  public mutating func firstFrame(
    masked: Bool?, compressed: Bool, isEnd: Bool, enough: Int = Self.enough
  ) -> Answer {
    var at = resumeAt
    while at < held.count {
      switch judge(at, masked: masked, compressed: compressed, isEnd: isEnd, enough: enough) {
      case .believed(let start, let isMasked): return .found(at: start, isMasked: isMasked)
      case .rejected: at += 1
      case .open:
        if !isEnd {
          resumeAt = at
          return .undecided(from: at)
        }
        at += 1
      }
    }
    resumeAt = at
    return .undecided(from: at)
  }

  private enum Verdict {
    case believed(at: Int, Bool)
    case rejected, open
  }

  private mutating func judge(
    _ start: Int, masked: Bool?, compressed: Bool, isEnd: Bool, enough: Int
  ) -> Verdict {
    guard
      var header = FrameHeader.parse(held.bytes.bytes, at: start)
    else { return Self.mayBegin(held.bytes.bytes.byte(at: start), compressed) ? .open : .rejected }
    let isMasked = header.isMasked
    if isInsideText(start) { return .rejected }
    var points = held.isBorder(start, .start) ? 2 : 0
    var at = start
    // Bytes that only look like a header may point to the beginning of a real frame by chance, so
    // a frame is not believed for what follows it alone: it must show something itself, or be the
    // third.
    var trusted: Int?
    var number = 0
    // Whether a message is open behind the frames so far, where they tell.
    var isOpen: Bool?
    while true {
      guard isPlausible(header, masked: masked ?? isMasked, compressed) else { return .rejected }
      if !header.isControl {
        let goesOn = header.opcode == .continuation
        if let isOpen, isOpen != goesOn { return .rejected }
        isOpen = !header.isFinal
      }
      let payload = at + header.size
      let end = header.length > UInt64(held.count) ? Int.max : payload + Int(header.length)
      // What the first bytes say is asked first, also of a frame that is all there: else it would
      // depend on the cuts whether anything behind them counts.
      var first = beginning(header, at: at, payload: payload, enough: enough)
      if first < 0 { return .rejected }
      // The beginning of JSON is worth as much as a frame of it.
      if first >= 3 { first += enough - Self.enough }
      let isStrongSoFar = first >= 3 || number >= 2 || held.isBorder(at, .start)
      if first > 0, points + first >= enough, let place = trusted ?? (isStrongSoFar ? at : nil) {
        return .believed(at: place, isMasked)
      }
      // A frame that ends just where the hole does was cut off by a snap length.
      let fits = missing.map { end == held.count + $0 } ?? false
      if header.length > Self.patientLength, held.count - payload >= Self.beginning, !fits {
        return .rejected
      }
      guard end <= held.count else {
        // Unless nothing more comes, the rest of it may say something else.
        if !isEnd { return .open }
        points += fits ? first + 4 : first
        if trusted == nil, isStrongSoFar { trusted = at }
        if points >= enough, let trusted { return .believed(at: trusted, isMasked) }
        return .rejected
      }
      let own = evidence(header, payload..<end)
      if own < 0 { return .rejected }
      // Two bytes of a length before a short record look like a piece of a message.
      let isPiece = header.opcode == .continuation && !header.isFinal
      if !isPiece || enough == Self.enough {
        points += own
        if held.isBorder(end, .end) { points += 2 }
      }
      // Any text holds text; only random bytes hardly ever unmask to some.
      let isStrong = own >= 4 || (own >= 2 && isMasked) || held.isBorder(at, .start)
      if trusted == nil, isStrong || number >= 2 { trusted = at }
      if points >= enough, let trusted { return .believed(at: trusted, isMasked) }
      number += 1
      at = end
      guard at < held.count else { return .open }
      guard let next = FrameHeader.parse(held.bytes.bytes, at: at) else {
        return Self.mayBegin(held.bytes.bytes.byte(at: at), compressed) ? .open : .rejected
      }
      header = next
    }
  }

  /// Whether this byte is of a character that began before it, in what reads as text up to here:
  /// in many languages every few bytes of it look like the header of a short frame.
  private func isInsideText(_ offset: Int) -> Bool {
    guard held.bytes.bytes.byte(at: offset) & 0xC0 == 0x80 else { return false }
    var at = max(offset - 16, 0)
    // The first character may be cut off.
    for _ in 0..<3 where at < offset && held.bytes.bytes.byte(at: at) & 0xC0 == 0x80 { at += 1 }
    while at < offset {
      guard let scalar = UTF8.scalar(in: held.bytes.bytes, at: at) else { return false }
      at += scalar.length
      if at > offset { return true }
    }
    return false
  }

  /// Whether a frame may begin with this byte.
  private static func mayBegin(_ first: UInt8, _ compressed: Bool) -> Bool {
    if first & 0x30 != 0 || (first & 0x40 != 0 && !compressed) { return false }
    let opcode = Opcode(rawValue: first & 0x0F)
    return opcode.isKnown && (!opcode.isControl || first & 0xC0 == 0x80)
  }

  private func isPlausible(_ header: FrameHeader, masked: Bool, _ compressed: Bool) -> Bool {
    guard Self.mayBegin(header.first, compressed), header.isMasked == masked, !header.isPadded,
      header.length >> 40 == 0
    else { return false }
    // RSV1 is set in the first frame of a message only, which holds a byte at least (RFC 7692
    // §6.1, §7.2.3.6).
    if header.isCompressed
      && (header.opcode == .continuation || header.length == 0)
    {
      return false
    }
    // Lengths of other protocols begin with zeros (RawSocket's do); hardly a fragment is empty.
    if header.length == 0 && !header.isFinal { return false }
    return !header.isControl || header.length <= 125
  }

  /// What a whole frame's payload says for it.
  private mutating func evidence(_ header: FrameHeader, _ payload: Range<Int>) -> Int {
    switch header.opcode {
    case .close:
      if payload.isEmpty { return 1 }
      unmask(header, payload, limit: 125)
      guard plain.count >= 2, CloseCode.maySend(plain.bytes.uint16(at: 0)) else { return -9 }
      return UTF8.firstInvalid(in: plain.bytes.dropping(2)) == nil ? 2 : -9
    case .text where !header.isCompressed && header.isFinal:
      if payload.isEmpty { return 1 }
      unmask(header, payload, limit: payload.count)
      guard Self.isText(plain.bytes, isWhole: true) else { return -9 }
      if Self.looksLikeJSON(plain.bytes) { return 4 }
      return payload.count >= 8 ? 2 : 1
    default: return 1
    }
  }

  /// What the first bytes of a long frame say for it. A 64-bit length below 16 MiB begins with five
  /// zero bytes: that counts as much as JSON when text follows, or where the header begins a
  /// segment of what is WebSocket.
  private mutating func beginning(
    _ header: FrameHeader, at: Int, payload: Int, enough: Int
  ) -> Int {
    let isVeryLong = header.length > Self.patientLength && header.length < 1 << 24
    guard header.opcode == .text, !header.isCompressed else {
      let isMessage = header.opcode != .continuation
      let isKnown = enough == Self.enough
      return isKnown && isVeryLong && isMessage && held.isBorder(at, .start) ? 3 : 0
    }
    guard header.length > UInt64(Self.beginning), held.count - payload >= Self.beginning else {
      return 0
    }
    unmask(header, payload..<held.count, limit: Self.beginning)
    guard Self.isText(plain.bytes, isWhole: false) else { return -9 }
    let first = plain.bytes.byte(at: 0)
    return isVeryLong || first == 0x5B || first == 0x7B ? 3 : 1
  }

  private mutating func unmask(_ header: FrameHeader, _ payload: Range<Int>, limit: Int) {
    plain.removeAll()
    Self.copy(held.bytes, payload.prefix(limit), to: &plain, key: header.isMasked ? header.key : 0)
  }

  private static func copy(
    _ held: Scratch, _ range: Range<Int>, to plain: inout Scratch, key: UInt32
  ) {
    plain.append(held.bytes.extracting(range), unmaskedWith: key, phase: 0)
  }

  /// UTF-8 without controls, but for those that separate JSON texts; a code point may be cut off at
  /// the end of a part.
  private static func isText(_ bytes: RawSpan, isWhole: Bool) -> Bool {
    guard UTF8.isValid(bytes, isWhole: isWhole) else { return false }
    var next = 0
    while let at = bytes.firstControl(from: next) {
      guard isSeparator(bytes.byte(at: at)), at > 0, bytes.byte(at: at - 1) == 0x5D else {
        return false
      }
      next = at + 1
    }
    return true
  }

  /// What ends a list where several are sent together: RS, or CAN, which some write instead.
  private static func isSeparator(_ byte: UInt8) -> Bool { byte == 0x1E || byte == 0x18 }

  private static func looksLikeJSON(_ bytes: RawSpan) -> Bool {
    let first = bytes.byte(at: 0)
    var last = bytes.byte(at: bytes.byteCount - 1)
    if isSeparator(last) && bytes.byteCount > 1 { last = bytes.byte(at: bytes.byteCount - 2) }
    return (first == 0x5B && last == 0x5D) || (first == 0x7B && last == 0x7D)
  }
}
