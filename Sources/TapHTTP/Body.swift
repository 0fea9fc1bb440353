// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Finds the end of an HTTP message body while its bytes pass (RFC 9112 §6).
struct Body {
  private enum Framing {
    case counted(left: UInt64)
    case chunked
    case untilClose
  }

  private enum ChunkState {
    case size, sizeLineEnd
    case content(left: UInt64)
    case contentEnd, trailer
    /// A gap contains the end of a chunk.
    case search
  }

  private var framing: Framing
  private var chunk = ChunkState.size
  private var chunkSize: UInt64 = 0
  private var lineLength = 0

  private init(_ framing: Framing) { self.framing = framing }

  /// The body that follows a head; nil when there is none.
  static func after(_ head: Head, answering method: OpenRequests.Method?) -> Body? {
    if let status = head.status {
      if method == .head || status / 100 == 1 || status == 204 || status == 304 { return nil }
      if method == .connect && status / 100 == 2 { return Body(.untilClose) }
    }
    if head.lists("chunked", in: "transfer-encoding") { return Body(.chunked) }
    if let length = head.value("content-length").flatMap(length) {
      return length == 0 ? nil : Body(.counted(left: length))
    }
    return head.isResponse ? Body(.untilClose) : nil
  }

  /// One number, or the same several times (RFC 9112 §6.3).
  private static func length(_ value: [UInt8]) -> UInt64? {
    let numbers = String(decoding: value, as: Unicode.UTF8.self).split(separator: ",").map {
      part in
      let words = part.split { $0 == " " || $0 == "\t" }
      return words.count == 1 ? UInt64(words[0]) : nil
    }
    guard let first = numbers.first, numbers.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  /// One that begins with a chunk, although its head is not known.
  static var chunks: Body { Body(.chunked) }

  /// It ends only when the connection does.
  var lastsUntilClose: Bool {
    if case .untilClose = framing { return true }
    return false
  }

  var isChunked: Bool {
    if case .chunked = framing { return true }
    return false
  }

  /// It is not known where the next chunk begins.
  var isSearching: Bool {
    if case .search = chunk { return true }
    return false
  }

  /// A gap contains the end of a chunk.
  mutating func search() { (chunk, chunkSize, lineLength) = (.search, 0, 0) }

  /// Continues with a chunk that begins.
  mutating func resume() { chunk = .size }

  /// Whether these bytes begin with a chunk size and its line end; nil when more are needed to
  /// tell.
  static func beginsChunk(_ bytes: RawSpan) -> Bool? {
    var at = 0
    while at < bytes.byteCount, at < 8, bytes.byte(at: at).isHexDigit { at += 1 }
    if at == bytes.byteCount { return nil }
    if at == 0 || bytes.byte(at: at) != .carriageReturn { return false }
    return at + 1 < bytes.byteCount ? bytes.byte(at: at + 1) == .lineFeed : nil
  }

  /// Takes the next bytes of the body; returns how many, and whether the body has ended.
  ///
  /// - Parameter take: called with the range of each piece of content, without chunk framing.
  mutating func pass(
    _ bytes: RawSpan, _ take: (ByteRange) -> Void = { _ in }
  ) -> (count: Int, isOver: Bool) {
    switch framing {
    case .untilClose:
      take(ByteRange(0, bytes.byteCount))
      return (bytes.byteCount, false)
    case .counted(let left):
      let count = left < UInt64(bytes.byteCount) ? Int(left) : bytes.byteCount
      framing = .counted(left: left - UInt64(count))
      take(ByteRange(0, count))
      return (count, left == UInt64(count))
    case .chunked: return passChunks(bytes, take)
    }
  }

  /// Skips bytes that were not captured; `isKnown` is false if the end of the body may be among
  /// them.
  mutating func passOver(_ missing: Int) -> (isKnown: Bool, isOver: Bool) {
    switch framing {
    case .untilClose: return (true, false)
    case .counted(let left) where left >= UInt64(missing):
      framing = .counted(left: left - UInt64(missing))
      return (true, left == UInt64(missing))
    case .chunked:
      if case .content(let left) = chunk, left > UInt64(missing) {
        chunk = .content(left: left - UInt64(missing))
        return (true, false)
      }
      return (false, false)
    default: return (false, false)
    }
  }

  /// RFC 9112 §7.1: the size in hex, a line end, that many bytes, a line end. Size 0 ends the body,
  /// after trailer lines.
  private mutating func passChunks(
    _ bytes: RawSpan, _ take: (ByteRange) -> Void
  ) -> (count: Int, isOver: Bool) {
    var at = 0
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      switch chunk {
      case .size:
        if let digit = Digits.hexValue(byte) {
          chunkSize = chunkSize << 4 | UInt64(digit)
          at += 1
        } else {
          chunk = .sizeLineEnd
        }
      case .sizeLineEnd:
        at += 1
        if byte == .lineFeed {
          chunk = chunkSize == 0 ? .trailer : .content(left: chunkSize)
          (chunkSize, lineLength) = (0, 0)
        }
      case .content(let left):
        let count = left < UInt64(bytes.byteCount - at) ? Int(left) : bytes.byteCount - at
        take(ByteRange(at, at + count))
        at += count
        chunk = left == UInt64(count) ? .contentEnd : .content(left: left - UInt64(count))
      case .search: return (bytes.byteCount, false)
      case .contentEnd:
        at += 1
        if byte == .lineFeed { chunk = .size }
      case .trailer:
        at += 1
        if byte == .lineFeed {
          if lineLength == 0 { return (at, true) }
          lineLength = 0
        } else if byte != .carriageReturn {
          lineLength += 1
        }
      }
    }
    return (at, false)
  }
}
