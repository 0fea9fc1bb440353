// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// A stream that was followed in ASCII: what tshark prints, which says how many bytes each side
/// sent and which side that was, or what Wireshark saves, which says neither.
public struct FollowedTextInput: InputKind {
  public static let name: StaticString = "followed-text"

  /// What is read of the text next.
  private enum State {
    case lines
    /// So many bytes of a side, and the end of the line behind them.
    case octets(left: Int, isUp: Bool)
    /// All of it is the stream.
    case stream
  }

  /// Bytes of the heads of a saved stream that are looked at.
  private static let looked = 8192

  private let place: Place
  private let limits: Limits
  private var state = State.lines
  private var line: [UInt8] = []
  private var piece: [UInt8] = []
  private var nodes: ([UInt8], [UInt8]) = ([], [])
  private var talk: PrintedConversation?
  private var printed: PrintedSink?
  private var offset: UInt64 = 0
  /// The side that tshark names and prints second is the client, as with TLS.
  private var isTurned = false
  /// Streams so far.
  private var flows: UInt32 = 0

  public init(_ place: Place, limits: Limits) { (self.place, self.limits) = (place, limits) }

  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    let text = behindRule(head)
    return text.starts(with: "GET ")
      ? saved(text, isAll: isAll) : claim(head, followedAs: ",ascii", isAll: isAll)
  }

  /// Whether tshark has followed a stream in some form: `Follow: tcp,ascii`.
  static func claim(_ head: RawSpan, followedAs form: String, isAll: Bool) -> InputClaim {
    let text = behindRule(head)
    if text.byteCount < 8 { return isAll ? .no : .undecided }
    guard text.starts(with: "Follow: ") else { return .no }
    guard let end = text.firstIndex(of: .lineFeed) else { return isAll ? .no : .undecided }
    let line = text.extracting(0..<end).copied()
    return line.firstRange(of: Array(form.utf8)) != nil ? .yes : .no
  }

  /// Behind blanks, and the line of `=` that tshark draws.
  @_lifetime(copy head)
  private static func behindRule(_ head: RawSpan) -> RawSpan {
    var at = 0
    while at < head.byteCount,
      head.byte(at: at).isJSONSpace || head.byte(at: at) == UInt8(ascii: "=")
    {
      at += 1
    }
    return head.dropping(at)
  }

  /// Heads of both sides, and dots behind them where a frame would have bytes that are no text.
  private static func saved(_ text: RawSpan, isAll: Bool) -> InputClaim {
    let looked = text.extracting(0..<min(text.byteCount, looked)).copied()
    if looked.contains(where: { $0 > 0x7E || $0 < 0x20 && !$0.isJSONSpace }) { return .no }
    let isCut = !isAll && looked.count < Self.looked
    guard let response = looked.firstRange(of: Array("\nHTTP/1.1 101".utf8)) else {
      return isCut ? .undecided : .no
    }
    for blank in ["\n\r\n", "\n\n"] {
      guard let end = looked[response.upperBound...].firstRange(of: Array(blank.utf8)) else {
        continue
      }
      if end.upperBound == looked.count { return isCut ? .undecided : .no }
      return looked[end.upperBound] == PrintedOctet.dot ? .yes : .no
    }
    return isCut ? .undecided : .no
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    var at = 0
    while at < chunk.byteCount {
      switch state {
      case .lines:
        let end = chunk.firstIndex(of: .lineFeed, from: at)
        let part = chunk.extracting(at..<(end ?? chunk.byteCount))
        let room = max(0, PrintedHead.longest - line.count)
        line += part.extracting(0..<min(part.byteCount, room)).copied()
        offset += UInt64(part.byteCount) + (end == nil ? 0 : 1)
        guard let end else { return }
        at = end + 1
        takeLine(sink)
      case .octets(let left, let isUp):
        let count = min(left, chunk.byteCount - at)
        piece += chunk.extracting(at..<at + count).copied()
        at += count
        offset += UInt64(count)
        state = count == left ? .lines : .octets(left: left - count, isUp: isUp)
        if count == left { takePiece(isUp: isUp, sink) }
      case .stream:
        piece = chunk.dropping(at).copied()
        offset += UInt64(piece.count)
        at = chunk.byteCount
        takePiece(isUp: false, sink)
      }
    }
  }

  public mutating func finish(_ sink: any EvidenceSink) {
    if case .octets(_, let isUp) = state { takePiece(isUp: isUp, sink) }
    var printed = self.printed ?? newSink(sink)
    talk?.finish(&printed)
    printed.reportStrays()
    let rest = printed.unread > 0 ? "; \(counted(printed.unread, "byte")) cannot be read" : ""
    let words = "followed stream, text, \(counted(printed.messages, "message"))\(rest)"
    sink.recognised(InputVerdict(words), place.origin(0))
  }

  private func newSink(_ sink: any EvidenceSink) -> PrintedSink {
    var printed = PrintedSink(place, limits, sink)
    printed.title = "a stream that was followed in ASCII"
    return printed
  }

  private mutating func takeLine(_ sink: any EvidenceSink) {
    if line.last == .carriageReturn { line.removeLast() }
    defer { line.removeAll() }
    if line.starts(with: "GET ".utf8) {
      // What Wireshark saves begins with what was sent.
      piece = line + [.lineFeed]
      state = .stream
      return takePiece(isUp: false, sink)
    }
    // With TLS, tshark does not know the client.
    let node = line.dropFirst(8).elementsEqual(":0".utf8) ? [] : Array(line.dropFirst(8))
    if line.starts(with: "Node 0: ".utf8) { return nodes.0 = node }
    if line.starts(with: "Node 1: ".utf8) { return nodes.1 = node }
    if line.starts(with: "Follow: ".utf8) { return endTalk(sink) }
    let isSecond = line.first == .tab
    let digits = isSecond ? line.dropFirst() : line[...]
    guard (1...9).contains(digits.count), digits.allSatisfy({ $0.isDigit }) else { return }
    let count = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    if count > 0 { state = .octets(left: count, isUp: !isSecond) }
  }

  /// Another stream follows.
  private mutating func endTalk(_ sink: any EvidenceSink) {
    var printed = self.printed ?? newSink(sink)
    talk?.finish(&printed)
    (talk, self.printed) = (nil, printed)
  }

  private mutating func takePiece(isUp: Bool, _ sink: any EvidenceSink) {
    var printed = self.printed ?? newSink(sink)
    let origin = place.origin(offset)
    var isMixed = false
    if case .stream = state { isMixed = true }
    if talk == nil {
      flows &+= 1
      isTurned = !isMixed && piece.starts(with: isUp ? "HTTP/1.".utf8 : "GET ".utf8)
    }
    let (from, to) = isTurned ? (nodes.1, nodes.0) : (nodes.0, nodes.1)
    var own = talk ?? PrintedConversation(flows, 1, from: from, to: to, origin, isMixed: isMixed)
    own.receive(piece[...], nil, piece.count, origin, isUp: isUp != isTurned, &printed)
    if own.held > limits.printedBytes { own.drop(&printed) }
    (talk, self.printed) = (own, printed)
    piece.removeAll(keepingCapacity: piece.capacity < 1 << 20)
  }
}
