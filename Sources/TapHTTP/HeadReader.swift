// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Collects the bytes of one head up to the empty line that ends it, however they were cut.
struct HeadReader {
  enum Outcome {
    case needsMore
    case head(Head)
    /// Larger than the limit.
    case tooLarge
    /// The unfinished heads of all connections leave no room.
    case noRoom
  }

  private var held = Scratch()
  private var room: Reservation

  init(_ limits: HTTPLimits) { room = Reservation(limits.unfinishedBytes) }

  /// Nothing but line ends was read since the last head.
  var isBetweenHeads: Bool { hasOnlyLineEnds }

  /// Whether a byte may come next while nothing but line ends was read.
  func mayBegin(with octet: UInt8) -> Bool {
    if octet == .lineFeed || octet == .carriageReturn { return true }
    if octet == 0 { return held.count == 4 }
    return withUnsafeBytes(of: octet) { HTTPStart.recognise($0.bytes) } != false
  }

  /// Takes bytes up to the end of the head, or of a proxy header before it; returns how many, and
  /// the outcome.
  mutating func read(_ bytes: RawSpan, limit: Int) -> (count: Int, outcome: Outcome) {
    if held.isEmpty, let count = Self.usualHead(bytes, limit) {
      return (count, .head(Head(parsing: bytes.extracting(0..<count))))
    }
    var at = 0
    while at < bytes.byteCount {
      var byte = bytes.byte(at: at)
      let line = usualLine(bytes, at, limit)
      if line.isEmpty {
        at += 1
        if hasOnlyLineEnds && !begins(with: byte) { continue }
        held.append(byte)
      } else {
        held.append(bytes.extracting(line))
        at = line.upperBound
        byte = bytes.byte(at: at - 1)
      }
      if byte == .lineFeed {
        if endsHead {
          let head = Head(parsing: held.bytes)
          removeAll()
          return (at, .head(head))
        }
        // The PROXY protocol, version 1: one line before the request.
        if held.bytes.starts(with: "PROXY ") {
          held.removeAll()
          return (at, .needsMore)
        }
      }
      if held.count >= 16, let length = proxyHeaderLength, held.count == length {
        held.removeAll()
        return (at, .needsMore)
      }
      if held.count > limit {
        removeAll()
        return (at, .tooLarge)
      }
      if held.count & 0x3FF == 0 && !room.reserve(held.count + 0x400) {
        removeAll()
        return (at, .noRoom)
      }
    }
    return (at, .needsMore)
  }

  /// The length of a head that is complete in these bytes, with nothing before it.
  private static func usualHead(_ bytes: RawSpan, _ limit: Int) -> Int? {
    let most = min(limit, bytes.byteCount)
    guard most > 0, bytes.byte(at: 0) > 0x20, !bytes.starts(with: "PROXY ") else { return nil }
    var at = 0
    while let end = bytes.firstIndex(of: .lineFeed, from: at), end + 1 < most {
      at = end + 1
      let byte = bytes.byte(at: at)
      if byte == .lineFeed { return at + 1 }
      if byte == .carriageReturn, at + 1 < most, bytes.byte(at: at + 1) == .lineFeed {
        return at + 2
      }
    }
    return nil
  }

  /// The rest of a line, with its end if it has come, that can be taken at once: it begins no PROXY
  /// header, and no bound is near. Empty where each byte has to be examined.
  private func usualLine(_ bytes: RawSpan, _ start: Int, _ limit: Int) -> Range<Int> {
    let none = start..<start
    guard held.count > 0, held.bytes.byte(at: 0) > 0x20 else { return none }
    let end = (bytes.firstIndex(of: .lineFeed, from: start) ?? bytes.byteCount - 1) + 1
    let count = held.count + end - start
    return count <= limit && count >> 10 == held.count >> 10 ? start..<end : none
  }

  private mutating func removeAll() {
    held.removeAll()
    held.shrink(above: 1 << 10)
    room.giveBack()
  }

  /// RFC 9112 §2.2: empty lines before a request line are ignored. They are held until it is clear
  /// that they do not begin a binary PROXY header. Returns whether `byte` is the first of something
  /// else.
  private mutating func begins(with byte: UInt8) -> Bool {
    if byte == .lineFeed || byte == .carriageReturn {
      let expected: UInt8 = held.count & 1 == 0 ? .carriageReturn : .lineFeed
      if held.count == 4 || byte != expected { held.removeAll() }
      if byte == .carriageReturn || !held.isEmpty { held.append(byte) }
      return false
    }
    if held.count < 4 || byte != 0 { held.removeAll() }
    return true
  }

  private var hasOnlyLineEnds: Bool {
    for at in 0..<min(held.count, 5) {
      let byte = held.bytes.byte(at: at)
      if byte != .lineFeed && byte != .carriageReturn { return false }
    }
    return held.count < 5
  }

  private static func mayBeProxyHeader(_ bytes: RawSpan) -> Bool {
    bytes.starts(with: "\r\n\r\n\0\r\nQUIT\n")
  }

  /// The length of a binary PROXY header (version 2), if that is what is held.
  private var proxyHeaderLength: Int? {
    guard Self.mayBeProxyHeader(held.bytes) else { return nil }
    return 16 + Int(held.bytes.uint16(at: 14))
  }

  private var endsHead: Bool {
    if held.bytes.starts(with: "\r\n\r\n\0") { return false }
    let end = held.count - 1
    if end >= 1, held.bytes.byte(at: end - 1) == .lineFeed { return true }
    return end >= 2 && held.bytes.byte(at: end - 1) == .carriageReturn
      && held.bytes.byte(at: end - 2) == .lineFeed
  }
}

/// Recognises HTTP by its first bytes.
public enum HTTPStart {
  /// What may begin a request, a response or a PROXY header; the signatures of the last are from
  /// HAProxy's proxy-protocol.txt. RTSP and SIP have OPTIONS, too: with targets `rtsp:` and `sip:`.
  private static let starts: [StaticString] = [
    "GET ", "POST ", "PUT ", "HEAD ", "DELETE ", "PATCH ", "CONNECT ", "TRACE ", "OPTIONS /",
    "OPTIONS *", "OPTIONS h", "HTTP/1.", "PROXY ", "\r\n\r\n\0\r\nQUIT\n",
  ]

  /// Bytes of empty lines that may stand before a request (RFC 9112 §2.2).
  private static let mostBlank = 8

  /// Whether HTTP/1 begins here; nil when more bytes are needed to decide.
  public static func recognise(_ bytes: RawSpan) -> Bool? {
    let isKnown = begins(bytes)
    var at = 0
    while at < min(bytes.byteCount, mostBlank),
      bytes.byte(at: at) == .carriageReturn || bytes.byte(at: at) == .lineFeed
    {
      at += 1
    }
    return isKnown == false && at > 0 ? begins(bytes.dropping(at)) : isKnown
  }

  /// Whether these bytes, which begin with a request, ask for a WebSocket, as far as they go.
  public static func asksForWebSocket(_ bytes: RawSpan) -> Bool {
    let name: StaticString = "sec-websocket-key:"
    var start = 0
    while let end = bytes.firstIndex(of: .lineFeed, from: start) {
      let line = bytes.extracting(start..<end)
      if line.extracting(0..<min(name.utf8CodeUnitCount, line.byteCount)).equals(lowered: name) {
        return true
      }
      start = end + 1
    }
    return false
  }

  private static func begins(_ bytes: RawSpan) -> Bool? {
    var mayBe = false
    for start in starts {
      if bytes.starts(with: start) { return true }
      let count = start.utf8CodeUnitCount
      if bytes.byteCount < count {
        var isPrefix = true
        for at in 0..<bytes.byteCount where bytes.byte(at: at) != start.utf8Start[at] {
          isPrefix = false
        }
        if isPrefix { mayBe = true }
      }
    }
    return mayBe ? nil : false
  }
}
