// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Finds the frames in the bytes of one direction. WebSocket messages and TCP segments need not
/// align with them (STOMP 1.2, "STOMP Frames").
///
/// It is not a `StreamFraming`, which handles only streams: over WebSocket, the end of a message
/// also ends a frame that lacks its NUL.
struct STOMPFraming {
  enum Found {
    /// The frame is in `frame`.
    case frame(next: Int)
    /// An EOL alone.
    case heartBeat(next: Int)
    /// The EOL that may follow a frame.
    case lineEnd(next: Int)
    /// These bytes do not begin a frame.
    case unknown(next: Int)
    case incomplete
  }

  /// Whether bytes are EOLs alone, in a WebSocket message or segment of their own.
  enum Beat {
    case yes, no
    /// So far; the segment goes on.
    case open

    init(_ bytes: RawSpan, begins: Bool, ends: Bool) {
      let isOfLineEnds = begins && STOMPFraming.behindLineEnds(bytes, 0) == bytes.byteCount
      self = !isOfLineEnds ? .no : ends ? .yes : .open
    }
  }

  /// The frame that was found last.
  var frame = STOMPFrame()
  /// The last frame ended here, and no EOL followed it yet.
  private var isBehindFrame = false
  /// A frame without `content-length` ended earlier in the same message or segment.
  private(set) var isBehindFrameWithoutLength = false
  /// Bytes are missing: only a certain beginning of a frame counts.
  var isLost = false
  /// Bytes are missing, and no frame was found behind them.
  private(set) var isBehindGap = false
  /// Bytes that do not begin a frame are skipped up to the next NUL.
  private var isPassingOver = false
  /// How far the incomplete frame was searched for a NUL.
  private var searched = 0
  /// Where the body of the incomplete frame ends by its `content-length`; 0 if that is not known.
  private var awaited = 0
  /// More bytes are needed to find the end of the frame: its `content-length` is not reached, or is
  /// wrong, and the bytes after its NUL may begin a frame.
  private(set) var isUndecided = false
  private let mostHeaders: Int
  /// How many bytes to wait for a body with `content-length`; 0 when a NUL followed by a frame
  /// proves at once that the length is wrong.
  private let longestAwaited: Int
  /// The awaited bytes will not come.
  var isWaitingOver = false
  /// After a gap, the longest header line to wait for, in bytes.
  private static let mostOfLine = 4096

  init(mostHeaders: Int, longestAwaited: Int = 0) {
    (self.mostHeaders, self.longestAwaited) = (mostHeaders, longestAwaited)
  }

  /// The next bytes begin a WebSocket message or a segment: an EOL there does not belong to the
  /// last frame.
  mutating func begin() {
    (isBehindFrame, isBehindFrameWithoutLength, isPassingOver) = (false, false, false)
  }

  mutating func resynchronise() {
    (isLost, isBehindGap, isBehindFrame, isPassingOver) = (true, true, false, false)
    (searched, awaited) = (0, 0)
  }

  /// The first bytes were consumed and removed.
  mutating func removed(_ count: Int) {
    (searched, awaited) = (max(0, searched - count), max(0, awaited - count))
  }

  /// Finds what comes next.
  ///
  /// - Parameters:
  ///   - border: the start of the last WebSocket message, if that is after `start`: a frame that
  ///     begins there shows that the one before lacks its NUL.
  ///   - isEnd: no more bytes come.
  ///   - beat: whether the bytes are a heart-beat by themselves; asked only behind a gap.
  mutating func next(
    in bytes: RawSpan, from start: Int, border: Int? = nil, isEnd: Bool = false,
    beat: Beat = .no
  ) -> Found {
    isUndecided = false
    if start == bytes.byteCount { return .incomplete }
    if isPassingOver { return passOver(bytes, start) }
    let first = bytes.byte(at: start)
    if first == .lineFeed || first == .carriageReturn {
      // Behind a gap, EOLs may be part of a body.
      if isBehindGap && beat != .yes {
        if beat == .open && !isEnd { return .incomplete }
        return findFrame(bytes, behindLineEnds: start, isEnd: isEnd)
      }
      let length = first == 0x0A ? 1 : 2
      if start + length > bytes.byteCount {
        return isEnd ? .unknown(next: bytes.byteCount) : .incomplete
      }
      if first == .lineFeed || bytes.byte(at: start + 1) == .lineFeed {
        defer { isBehindFrame = false }
        return isBehindFrame ? .lineEnd(next: start + length) : .heartBeat(next: start + length)
      }
    }
    guard let isWhole = Self.isCommandLine(bytes, at: start) else {
      return passOver(bytes, start)
    }
    if isLost && isWhole {
      guard let begins = Self.frameBegins(bytes, at: start, isEnd: isEnd) else {
        return .incomplete
      }
      if !begins { return passOver(bytes, start) }
    }
    return readFrame(bytes, from: start, border: border, isEnd: isEnd)
  }

  /// Skips EOLs ahead of what may begin a frame; otherwise up to the next NUL.
  private mutating func findFrame(
    _ bytes: RawSpan, behindLineEnds start: Int, isEnd: Bool
  ) -> Found {
    let next = Self.behindLineEnds(bytes, start)
    if next == bytes.byteCount { return .unknown(next: next) }
    let begins = Self.frameBegins(bytes, at: next, isEnd: isEnd)
    return begins == false ? passOver(bytes, start) : .unknown(next: next)
  }

  private mutating func readFrame(
    _ bytes: RawSpan, from start: Int, border: Int?, isEnd: Bool
  ) -> Found {
    let nul = bytes.firstIndex(of: 0, from: max(start, searched))
    var end = nul ?? bytes.byteCount
    // At least the command line of the open frame is complete.
    if let border, border > start, border <= end, Self.beginsFrame(bytes, at: border),
      let line = bytes.firstIndex(of: .lineFeed, from: start), line < border
    {
      frame.range = ByteRange(start, border)
      if let body = frame.readHead(bytes, from: start, to: border, most: mostHeaders) {
        frame.body = ByteRange(body, border)
      }
      frame.faults.insert(.nulMissing)
      return found(next: border)
    }
    searched = end
    if nul == nil && !isEnd { return .incomplete }
    if border == nil && bytes.byteCount <= awaited && !isEnd && !isWaitingOver {
      isUndecided = true
      return .incomplete
    }
    guard let body = frame.readHead(bytes, from: start, to: end, most: mostHeaders) else {
      // A NUL or the end of the connection is within the headers.
      frame.range = ByteRange(start, nul == nil ? end : end + 1)
      if nul == nil { frame.faults.insert(.nulMissing) }
      return found(next: frame.range.end)
    }
    if let length = frame.announced, body + length != end {
      guard
        let last = countedEnd(
          bytes, from: start, body: body, length: length, nul: nul, isEnd: isEnd)
      else {
        return .incomplete
      }
      end = last
    }
    frame.body = ByteRange(body, end)
    let isEnded = end < bytes.byteCount && bytes.byte(at: end) == 0
    if !isEnded { frame.faults.insert(.nulMissing) }
    frame.range = ByteRange(start, isEnded ? end + 1 : end)
    return found(next: frame.range.end)
  }

  private mutating func found(next: Int) -> Found {
    (searched, awaited, isLost, isBehindGap) = (0, 0, false, false)
    isBehindFrame = !frame.faults.contains(.nulMissing)
    isBehindFrameWithoutLength = frame.announced == nil
    return .frame(next: next)
  }

  /// The end of a body with `content-length` that does not end at the first NUL; nil when more
  /// bytes are needed.
  ///
  /// - Parameter nul: the first NUL after the headers.
  private mutating func countedEnd(
    _ bytes: RawSpan, from start: Int, body: Int, length: Int, nul: Int?, isEnd: Bool
  ) -> Int? {
    let counted = body + length
    let isThere = counted < bytes.byteCount
    if isThere && bytes.byte(at: counted) == 0 { return counted }
    if !isThere && !isEnd && !isWaitingOver && counted - start < longestAwaited {
      (isUndecided, awaited) = (true, counted)
      return nil
    }
    // The length is wrong, and only the first NUL can end the body.
    if let nul, isThere, bytes.firstIndex(of: 0, from: nul + 1).map({ $0 < counted }) != true {
      blame(bytes, ByteRange(body, nul), length)
      return nul
    }
    // The length is too long if a frame follows one of the NULs.
    let isAll = isEnd || isWaitingOver || longestAwaited == 0
    var at = nul
    while let place = at, !isThere || place < counted {
      guard let begins = Self.frameBegins(bytes, at: place + 1, isEnd: isAll) else {
        isUndecided = true
        return nil
      }
      if begins || isEnd {
        blame(bytes, ByteRange(body, place), length)
        return place
      }
      at = bytes.firstIndex(of: 0, from: place + 1)
    }
    if let nul, isThere {
      blame(bytes, ByteRange(body, nul), length)
      return nul
    }
    return isEnd ? bytes.byteCount : nil
  }

  /// Records how a length is wrong: it may count characters, which are code points, or UTF-16 units
  /// as in JavaScript.
  private mutating func blame(_ bytes: RawSpan, _ body: ByteRange, _ length: Int) {
    var (points, units) = (0, 0)
    for at in body.start..<body.end where bytes.byte(at: at) & 0xC0 != 0x80 {
      points += 1
      units += bytes.byte(at: at) >= 0xF0 ? 2 : 1
    }
    let isText = UTF8.firstInvalid(in: bytes[body]) == nil
    let isCharacters = isText && points != body.count && (points == length || units == length)
    frame.faults.insert(isCharacters ? .charactersCounted : .lengthWrong)
  }

  /// Whether a line that may be a command begins here: true when it is complete, false when more of
  /// it may follow, nil when it is not a command.
  private static func isCommandLine(_ bytes: RawSpan, at start: Int) -> Bool? {
    var at = start
    let end = min(bytes.byteCount, start + STOMPCommand.longest)
    while at < end {
      let byte = bytes.byte(at: at)
      if byte == .lineFeed { return at > start ? true : nil }
      // Tolerate a blank or a CR at its end.
      let isBlank = (byte == .space || byte == .carriageReturn) && at > start
      if !byte.isAlpha && !isBlank { return nil }
      at += 1
    }
    return at == bytes.byteCount ? false : nil
  }

  /// Whether a frame certainly begins here: a known command, followed by a header or the blank
  /// line.
  static func beginsFrame(_ bytes: RawSpan, at start: Int) -> Bool {
    frameBegins(bytes, at: start, isEnd: true) ?? false
  }

  /// Whether a frame certainly begins at the start of these bytes, or after a NUL in them.
  static func hasFrame(_ bytes: RawSpan) -> Bool {
    var start: Int? = 0
    while let at = start, at < bytes.byteCount {
      if beginsFrame(bytes, at: at) { return true }
      start = bytes.firstIndex(of: 0, from: at).map { $0 + 1 }
    }
    return false
  }

  /// Whether a frame begins; nil while more bytes are needed.
  static func frameBegins(_ bytes: RawSpan, at start: Int, isEnd: Bool) -> Bool? {
    let start = behindLineEnds(bytes, start)
    let most = min(bytes.byteCount, start + STOMPCommand.longest + 1)
    guard let end = bytes.extracting(0..<most).firstIndex(of: .lineFeed, from: start) else {
      return isEnd || isCommandLine(bytes, at: start) == nil ? false : nil
    }
    let hasReturn = end > start && bytes.byte(at: end - 1) == .carriageReturn
    guard STOMPCommand(bytes.extracting(start..<(hasReturn ? end - 1 : end))) != nil else {
      return false
    }
    guard let stop = bytes.firstIndex(of: .lineFeed, from: end + 1) else {
      return isEnd || bytes.byteCount - end > mostOfLine ? false : nil
    }
    let line = bytes.extracting(end + 1..<stop)
    if line.isEmpty || line.byteCount == 1 && line.byte(at: 0) == .carriageReturn { return true }
    return line.firstIndex(of: UInt8(ascii: ":")) != nil
  }

  /// Whether a frame lacks only its NUL. A long one was probably split, as programs that split
  /// frames use larger pieces.
  ///
  /// - Parameter takesBody: the bytes after the headers may be the whole body.
  static func lacksOnlyNUL(_ bytes: RawSpan, takesBody: Bool) -> Bool {
    guard bytes.byteCount < 4096, beginsFrame(bytes, at: 0) else { return false }
    let line = bytes.extracting(0..<(bytes.firstIndex(of: .lineFeed) ?? 0))
    let mayHaveBody =
      line.starts(with: "SEND") || line.starts(with: "MESSAGE") || line.starts(with: "ERROR")
    if mayHaveBody && !takesBody { return false }
    var at = 0
    while let end = bytes.firstIndex(of: .lineFeed, from: at) {
      let isBlank = end == at || end == at + 1 && bytes.byte(at: at) == .carriageReturn
      if isBlank && at > 0 { return takesBody || end + 1 == bytes.byteCount }
      at = end + 1
    }
    return false
  }

  /// For all bytes that a side has sent to its end: whether they are a frame that lacks only its
  /// NUL, with complete headers and a body as long as any `content-length`.
  func lacksOnlyNUL(_ bytes: RawSpan) -> Bool {
    guard Self.beginsFrame(bytes, at: 0), bytes.firstIndex(of: 0) == nil else { return false }
    var frame = STOMPFrame()
    guard let body = frame.readHead(bytes, from: 0, to: bytes.byteCount, most: mostHeaders)
    else { return false }
    return frame.announced.map { bytes.byteCount - body == $0 } ?? true
  }

  static func behindLineEnds(_ bytes: RawSpan, _ start: Int) -> Int {
    var at = start
    while at < bytes.byteCount,
      bytes.byte(at: at) == .lineFeed || bytes.byte(at: at) == .carriageReturn
    { at += 1 }
    return at
  }

  /// Skips to the next NUL, after which a frame may begin.
  private mutating func passOver(_ bytes: RawSpan, _ start: Int) -> Found {
    let nul = bytes.firstIndex(of: 0, from: start)
    (isBehindFrame, isPassingOver) = (false, nul == nil)
    return .unknown(next: nul.map { $0 + 1 } ?? bytes.byteCount)
  }
}
