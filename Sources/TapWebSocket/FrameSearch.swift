// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Finds where WebSocket frames begin when frame boundaries are not known: after a gap, or when the
/// capture began in the middle of the stream.
///
/// A place is accepted when the frames that begin there form a chain with enough evidence: text
/// that is valid UTF-8 and looks like JSON, control frames that keep the rules, boundaries that
/// coincide with those of TCP segments. The answer depends only on the bytes and their segments,
/// not on how many of them were there at each call; a place that cannot be judged yet is waited
/// for.
public struct FrameSearch {
  public enum Answer: Equatable {
    case found(at: Int, isMasked: Bool)
    /// Nothing was found before this offset; from there on, more bytes are needed.
    case undecided(from: Int)
  }

  /// Points that a place needs in a stream that is known to be WebSocket.
  public static let enough = 5
  /// Points that bytes need to be recognised as WebSocket at all: two frames that each fill a
  /// segment, or one whose text is JSON. One in some 10^7 pairs of random segments reaches that.
  public static let enoughForStreams = 8
  /// A longer frame is waited for only if its first bytes show what it is.
  static let patientLength: UInt64 = 64 << 10
  /// Frames of a chain in an unknown stream: what has not shown itself by then is no WebSocket, or
  /// begins later.
  private static let longestChain = 64
  /// A segment of fewer bytes is not one of those that a file is sent in.
  private static let shortSegment = 1280
  /// As many bytes show that a masking key repeats itself.
  private static let patternLength = 12
  /// How many bytes of a long text are examined before all of it has come.
  private static let beginning = 64

  /// The bytes to search.
  public private(set) var held = ResyncBuffer()
  private var plain = Scratch()
  /// Lengths of the frames of a chain, each once.
  private var lengths: [UInt64] = []
  private var resumeAt = 0
  /// How many bytes are missing after those held, where that is known.
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
  ///   - masked: whether the sender masks; nil when that is not known.
  ///   - compressed: whether frames may have RSV1 set (RFC 7692 §6).
  ///   - isEnd: no more bytes will come, so judge with what there is.
  ///   - enough: points that a place needs to be accepted.
  public mutating func firstFrame(
    masked: Bool?, compressed: Bool, isEnd: Bool, enough: Int = Self.enough
  ) -> Answer {
    let criteria = Criteria(masked: masked, compressed: compressed, isEnd: isEnd, enough: enough)
    var at = resumeAt
    while at < held.count {
      switch judge(at, criteria) {
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

  /// What is known of the sender, and how sure the search has to be.
  private struct Criteria {
    let masked: Bool?
    let compressed: Bool
    let isEnd: Bool
    let enough: Int
  }

  /// Frames that follow one another, from a place on.
  private struct Chain {
    /// Where the next one begins.
    var at: Int
    var points: Int
    let isMasked: Bool
    /// Bytes that only look like a header may lead to a real frame by chance. So a frame is not
    /// accepted just for what follows it: it needs evidence of its own, or has to be the third.
    var trusted: Int?
    var number = 0
    /// Where a segment began that the chain has reached.
    var segment: Int?
    /// The masking key of the frame before.
    var key: UInt32?
    /// Whether the frames so far leave a fragmented message open, as far as they show.
    var isOpen: Bool?

    mutating func trust(_ place: Int) {
      if trusted == nil { trusted = place }
    }

    func verdict(enough: Int) -> Verdict? {
      guard points >= enough, let trusted else { return nil }
      return .believed(at: trusted, isMasked)
    }
  }

  private mutating func judge(_ start: Int, _ criteria: Criteria) -> Verdict {
    guard var header = FrameHeader.parse(held.bytes.bytes, at: start) else {
      return mayBegin(at: start, criteria) ? .open : .rejected
    }
    if isInsideText(start) { return .rejected }
    var chain = Chain(
      at: start, points: held.isBorder(start, .start) ? 2 : 0, isMasked: header.isMasked)
    lengths.removeAll(keepingCapacity: true)
    while true {
      if let verdict = add(header, to: &chain, criteria) { return verdict }
      guard chain.at < held.count else { return .open }
      guard let next = FrameHeader.parse(held.bytes.bytes, at: chain.at) else {
        return mayBegin(at: chain.at, criteria) ? .open : .rejected
      }
      header = next
    }
  }

  private func mayBegin(at place: Int, _ criteria: Criteria) -> Bool {
    Self.mayBegin(held.bytes.bytes.byte(at: place), criteria.compressed)
  }

  /// - Returns: nil where the next frame has to decide.
  private mutating func add(
    _ header: FrameHeader, to chain: inout Chain, _ criteria: Criteria
  ) -> Verdict? {
    let (at, enough) = (chain.at, criteria.enough)
    guard isPlausible(header, masked: criteria.masked ?? chain.isMasked, criteria.compressed) else {
      return .rejected
    }
    if header.isMasked && isPattern(at) {
      return held.count - at >= Self.patternLength || criteria.isEnd ? .rejected : .open
    }
    if !header.isControl {
      let goesOn = header.opcode == .continuation
      if let isOpen = chain.isOpen, isOpen != goesOn { return .rejected }
      chain.isOpen = !header.isFinal
    }
    let payload = at + header.size
    let end = header.length > UInt64(held.count) ? Int.max : payload + Int(header.length)
    // Examine the first bytes even if the whole frame is there: otherwise the result would depend
    // on how the bytes were cut.
    var first = beginning(header, at: at, payload: payload, enough: enough)
    if first < 0 { return .rejected }
    // The beginning of JSON counts as much as a whole frame of JSON.
    if first >= 3 { first += enough - Self.enough }
    let isStrongSoFar = first >= 3 || chain.number >= 2 || held.isBorder(at, .start)
    if first > 0, chain.points + first >= enough,
      let place = chain.trusted ?? (isStrongSoFar ? at : nil)
    {
      return .believed(at: place, chain.isMasked)
    }
    // A frame that ends exactly where the gap ends was cut by the snap length.
    let fits = missing.map { end == held.count + $0 } ?? false
    if header.length > Self.patientLength, held.count - payload >= Self.beginning, !fits {
      return .rejected
    }
    if end <= held.count { return add(header, payload..<end, to: &chain, enough: enough) }
    // The rest of the frame may still contradict.
    if !criteria.isEnd { return .open }
    chain.points += fits ? first + 4 : first
    if isStrongSoFar { chain.trust(at) }
    return chain.verdict(enough: enough) ?? .rejected
  }

  /// A frame that is there to its end.
  private mutating func add(
    _ header: FrameHeader, _ payload: Range<Int>, to chain: inout Chain, enough: Int
  ) -> Verdict? {
    let (at, end) = (chain.at, payload.upperBound)
    var own = evidence(header, payload)
    if own < 0 { return .rejected }
    let isKnown = enough == Self.enough
    let isAtBorder = (start: held.isBorder(at, .start), end: held.isBorder(end, .end))
    if isAtBorder.start { chain.segment = at }
    var isEvidence = true
    // A few clients never mask; all others choose a key for each frame.
    let hasSameKey = header.isMasked && header.key != 0 && header.key == chain.key
    chain.key = header.key
    if own == 1 && isAtBorder != (true, true) && (isKnown ? hasSameKey : !isNew(header)) {
      own = 0
      // What was written at once fills a short segment; those of a file are full.
      isEvidence =
        !isKnown && isAtBorder.end
        && chain.segment.map { end - $0 < Self.shortSegment } ?? false
    }
    // The two length bytes before a short record look like a non-final continuation frame.
    let isPiece = header.opcode == .continuation && !header.isFinal
    if !isPiece || isKnown {
      chain.points += own
      if isAtBorder.end && isEvidence { chain.points += 2 }
    }
    // Any text may contain what looks like a frame of text, but random bytes hardly ever unmask
    // to text.
    let isStrong = own >= 4 || (own >= 2 && chain.isMasked) || isAtBorder.start
    if isStrong || chain.number >= 2 { chain.trust(at) }
    if let verdict = chain.verdict(enough: enough) { return verdict }
    chain.number += 1
    if chain.number == Self.longestChain && !isKnown { return .rejected }
    chain.at = end
    return nil
  }

  /// Whether these bytes repeat themselves as a masking key does over a run of one byte: what looks
  /// like a header there does so again and again. A frame repeats its header neither in its key nor
  /// behind that.
  private func isPattern(_ place: Int) -> Bool {
    let bytes = held.bytes.bytes
    let end = min(place + Self.patternLength, bytes.byteCount)
    return (place + 4..<end).allSatisfy { bytes.byte(at: $0) == bytes.byte(at: $0 - 4) }
  }

  /// Whether this byte continues a UTF-8 character of the text around it. In many languages, every
  /// few bytes of text look like the header of a short frame.
  private func isInsideText(_ offset: Int) -> Bool {
    guard held.bytes.bytes.byte(at: offset) & 0xC0 == 0x80 else { return false }
    var at = max(offset - 16, 0)
    // The first character may be cut.
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
    // RSV1 is only set in the first frame of a message, which has at least one byte (RFC 7692 §6.1,
    // §7.2.3.6).
    if header.isCompressed
      && (header.opcode == .continuation || header.length == 0)
    {
      return false
    }
    // Lengths of other protocols, such as RawSocket, begin with zeros; a real fragment is hardly
    // ever empty.
    if header.length == 0 && !header.isFinal { return false }
    return !header.isControl || header.length <= 125
  }

  /// Whether a header adds to the evidence of those before it in the chain. Data that repeats
  /// itself (a table in a file, silence in a recording) repeats what looks like a header, too; and
  /// where most bytes may begin a frame, there are chains of tiny ones.
  private mutating func isNew(_ header: FrameHeader) -> Bool {
    if lengths.contains(header.length) { return false }
    lengths.append(header.length)
    return header.length >= 4
  }

  /// Points for the payload of a complete frame; negative if it contradicts.
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

  /// Points for the first bytes of a long frame; negative if they contradict. A 64-bit length below
  /// 16 MiB begins with five zero bytes: that counts as much as JSON if text follows, or if the
  /// stream is known to be WebSocket and the header begins a segment.
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

  /// Valid UTF-8 without control characters, except those that separate JSON texts, and a NUL that
  /// ends the whole. In a part, the last character may be cut.
  private static func isText(_ bytes: RawSpan, isWhole: Bool) -> Bool {
    guard UTF8.isValid(bytes, isWhole: isWhole) else { return false }
    var next = 0
    while let at = bytes.firstControl(from: next) {
      if isWhole && isTerminator(bytes, at) { return true }
      guard isSeparator(bytes.byte(at: at)), at > 0, bytes.byte(at: at - 1) == 0x5D else {
        return false
      }
      next = at + 1
    }
    return true
  }

  /// What ends a list where several are batched: RS, or CAN, which some implementations write
  /// instead.
  private static func isSeparator(_ byte: UInt8) -> Bool { byte == 0x1E || byte == 0x18 }

  /// Whether a text ends with the NUL at `at`, as messages with heads do; line ends may follow.
  private static func isTerminator(_ bytes: RawSpan, _ at: Int) -> Bool {
    bytes.byte(at: at) == 0 && at > 0
      && (at + 1..<bytes.byteCount).allSatisfy {
        bytes.byte(at: $0) == .lineFeed || bytes.byte(at: $0) == .carriageReturn
      }
  }

  private static func looksLikeJSON(_ bytes: RawSpan) -> Bool {
    let first = bytes.byte(at: 0)
    var last = bytes.byte(at: bytes.byteCount - 1)
    if isSeparator(last) && bytes.byteCount > 1 { last = bytes.byte(at: bytes.byteCount - 2) }
    return (first == 0x5B && last == 0x5D) || (first == 0x7B && last == 0x7D)
  }
}
