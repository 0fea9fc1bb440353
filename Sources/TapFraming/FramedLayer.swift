// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Cuts the bytes of a stream into messages and passes each on whole. A message has the time and
/// the packet of its last byte.
public struct FramedLayer: Layer {
  /// One direction.
  private struct Half {
    var framing: JSONStreamFraming
    /// The beginning of a message whose end has not come.
    var held = ResyncBuffer()
    /// What of that which all connections may hold this one has taken.
    var room: Reservation
    /// Bytes that are still to come of a message that is not shown.
    var skipped = 0
    /// Where the next message begins is not known.
    var isLost = false
    /// What was not captured since then; nil when nothing was.
    var loss: FramingLoss?
    /// Captured bytes that were passed over since then.
    var passed = 0
    /// For the estimate of how many messages a gap swallowed.
    var seen = FramingLoss.Seen()
  }

  private var toServer: Half
  private var toClient: Half
  private var above: any Layer
  private var firstEnd = Direction.unknown
  private var hasEnded = false
  private let limits: Limits

  /// - Parameter isFromStart: whether the first bytes begin a message.
  public init(carrying above: any Layer, limits: Limits, isFromStart: Bool) {
    let framing = JSONStreamFraming(most: limits.messageBytes)
    toServer = Half(framing: framing, room: Reservation(limits.unfinishedBytes))
    toClient = Half(framing: framing, room: Reservation(limits.unfinishedBytes))
    (self.above, self.limits) = (above, limits)
    if isFromStart { return }
    for half in [\Self.toServer, \Self.toClient] {
      self[keyPath: half].framing.resynchronise()
      self[keyPath: half].isLost = true
    }
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if hasEnded { return listener.account(.afterClose, bytes.byteCount) }
    if delivery.origin.direction == .toServer {
      Self.receive(bytes, delivery, &toServer, &above, limits, listener)
    } else {
      Self.receive(bytes, delivery, &toClient, &above, limits, listener)
    }
  }

  private static func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ half: inout Half, _ above: inout any Layer,
    _ limits: Limits, _ listener: any Listener
  ) {
    if half.skipped > 0 {
      let count = min(half.skipped, bytes.byteCount)
      half.skipped -= count
      listener.account(.incomplete, count)
      if count == bytes.byteCount { return }
      return receive(
        bytes.dropping(count), delivery.advanced(by: count), &half, &above, limits, listener)
    }
    if half.held.count == 0 && !half.isLost {
      let rest = pass(
        bytes, most: limits.messageBytes, isEnd: false, &half, &above, listener
      ) {
        var origin = delivery.origin
        origin.offset += UInt64($0.start)
        return origin
      }
      if rest == bytes.byteCount { return }
      half.held.append(bytes.dropping(rest), delivery.advanced(by: rest))
    } else {
      half.held.append(bytes, delivery)
      if !half.isLost { cut(&half, most: limits.messageBytes, isEnd: false, &above, listener) }
    }
    if half.isLost { search(&half, most: limits.messageBytes, isEnd: false, &above, listener) }
    if half.held.count <= limits.messageBytes && half.room.reserve(half.held.cost) { return }
    if half.isLost { return passOver(half.held.count, &half, listener) }
    // Of a text that goes on behind its length, nobody knows the end.
    let size = half.framing.announcedSize(half.held.bytes.bytes)
    let known = size.flatMap { $0 < half.held.count ? nil : $0 }
    discard(&half, .tooLong, "a message is larger than the limit", size: known, listener)
    above.gap(nil, delivery, listener)
  }

  /// Passes on what is whole; answers how much that was.
  ///
  /// - Parameter origin: where the message of a range was found.
  private static func pass(
    _ bytes: RawSpan, most: Int, isEnd: Bool, _ half: inout Half, _ above: inout any Layer,
    _ listener: any Listener, origin: (ByteRange) -> Origin
  ) -> Int {
    var start = 0
    search: while start < bytes.byteCount {
      switch half.framing.next(in: bytes, from: start, isEnd: isEnd) {
      case .message(let range, let next) where range.count > most:
        listener.account(.incomplete, next - start)
        var finding = Finding(
          .tooLong, .warning, origin(range),
          "a message is larger than the limit: \(range.count) bytes of it are not shown")
        finding.lostMessages = 1
        listener.finding(finding)
        above.gap(range.count, Delivery(origin(range)), listener)
        start = next
      case .message(let range, let next):
        half.seen.messages += 1
        half.seen.bytes += next - start
        listener.account(.told, next - start)
        above.receive(bytes[range], Delivery(origin(range), .text), listener)
        start = next
      case .miscounted(let range, let next, let announced):
        listener.account(.told, next - start)
        let found = origin(range)
        above.receive(bytes[range], Delivery(found, .text), listener)
        tellMiscount(bytes[range], announced: announced, found, listener)
        start = next
      case .broken(let reason):
        half.isLost = true
        listener.finding(
          Finding(.lengthWrong, .error, origin(ByteRange(start, start + 1)), "\(reason)"))
        above.gap(nil, Delivery(origin(ByteRange(start, start + 1))), listener)
        break search
      case .skip(let next):
        listener.account(.told, next - start)
        start = next
      case .incomplete: break search
      }
    }
    // Offsets of the framing are those of what is left.
    half.framing.removed(start)
    return start
  }

  /// Swift counts characters where the protocol wants bytes, and so do others.
  private static func tellMiscount(
    _ text: RawSpan, announced: Int, _ origin: Origin, _ listener: any Listener
  ) {
    let octets = text.byteCount
    let why = text.characterCount == announced ? ": its characters were counted" : ""
    listener.finding(
      Finding(
        .lengthWrong, .error, origin,
        "\(announced) bytes were announced, the text has \(octets)\(why)",
        isAboutLastMessage: true))
  }

  /// Passes on what is whole of what is held.
  private static func cut(
    _ half: inout Half, most: Int, isEnd: Bool, _ above: inout any Layer,
    _ listener: any Listener
  ) {
    // A copy, as it is lent meanwhile.
    let held = half.held
    let count = pass(held.bytes.bytes, most: most, isEnd: isEnd, &half, &above, listener) {
      var origin = held.origin(at: max($0.start, $0.end - 1))
      origin.offset = held.origin(at: $0.start).offset
      return origin
    }
    half.held.removeFirst(count)
    if half.held.count == 0 { half.room.giveBack() }
  }

  /// Looks for the next message in what is held, as often as the place is lost again.
  private static func search(
    _ half: inout Half, most: Int, isEnd: Bool, _ above: inout any Layer,
    _ listener: any Listener
  ) {
    while half.isLost, half.held.count > 0 {
      // Taken out, as what is held is lent meanwhile.
      var framing = half.framing
      let start = framing.beginning(in: half.held, isEnd: isEnd)
      half.framing = framing
      guard let start else { return }
      var origin = half.held.origin(at: min(start, half.held.count - 1))
      if start == half.held.count { origin.offset += 1 }
      passOver(start, &half, listener)
      if let finding = FramingLoss.resumed(
        .resynchronised, half.loss, skipped: half.passed, at: origin, half.seen, noun: "messages")
      {
        listener.finding(finding)
      }
      (half.isLost, half.loss, half.passed) = (false, nil, 0)
      cut(&half, most: most, isEnd: isEnd, &above, listener)
    }
  }

  /// Passes over bytes in search of a message.
  private static func passOver(_ count: Int, _ half: inout Half, _ listener: any Listener) {
    if count == 0 { return }
    listener.account(.skipped, count)
    half.passed += count
    half.framing.removed(count)
    half.held.removeFirst(count)
    if half.held.count == 0 { half.room.giveBack() }
  }

  /// Gives up the message that has begun.
  ///
  /// - Parameter size: bytes of all of it; nil when nobody knows where it ends.
  private static func discard(
    _ half: inout Half, _ code: Finding.Code, _ text: String, size: Int? = nil,
    _ listener: any Listener
  ) {
    let count = half.held.count
    half.skipped = size.map { $0 - count } ?? 0
    half.isLost = size == nil
    if size == nil { half.framing.resynchronise() } else { half.framing.removed(count) }
    if count == 0 { return }
    listener.account(.incomplete, count)
    var finding = Finding(
      code, .warning, half.held.origin(at: 0), "\(text): \(count) bytes of it are not shown")
    finding.lostMessages = 1
    listener.finding(finding)
    half.held.removeAll()
    half.room.giveBack()
  }

  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.origin.direction == .toServer {
      Self.gap(missing, &toServer, listener)
    } else {
      Self.gap(missing, &toClient, listener)
    }
    above.gap(missing, delivery, listener)
  }

  /// Where a length says that the hole is within one message, the next is found by that.
  private static func gap(_ missing: Int?, _ half: inout Half, _ listener: any Listener) {
    if let missing, half.skipped >= missing { return half.skipped -= missing }
    var begun = 0
    if half.isLost {
      passOver(half.held.count, &half, listener)
      half.framing.resynchronise()
    } else {
      let count = half.held.count
      begun = count
      let size = half.framing.announcedSize(half.held.bytes.bytes)
      let isWithin = count > 0 && missing != nil && count + missing! <= size ?? 0
      discard(
        &half, .incomplete, "a part of a message was not captured", size: isWithin ? size : nil,
        listener)
      if isWithin { return half.skipped -= missing! }
    }
    if half.loss == nil {
      half.loss = FramingLoss(missing, begun: begun)
    } else {
      half.loss?.add(missing)
    }
  }

  public mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    if hasEnded { return }
    let direction = delivery.origin.direction
    if firstEnd == .unknown && ending != .endOfEvidence { firstEnd = direction }
    if ending != .half || direction == .toServer {
      Self.flush(&toServer, delivery.sent(.toServer), &above, limits, listener)
    }
    if ending != .half || direction == .toClient {
      Self.flush(&toClient, delivery.sent(.toClient), &above, limits, listener)
    }
    if ending == .half { return }
    hasEnded = true
    above.finish(ending, delivery, listener)
    listener.closed(Closing(stream: ending, by: firstEnd), delivery)
  }

  private static func flush(
    _ half: inout Half, _ delivery: Delivery, _ above: inout any Layer, _ limits: Limits,
    _ listener: any Listener
  ) {
    if !half.isLost { cut(&half, most: limits.messageBytes, isEnd: true, &above, listener) }
    search(&half, most: limits.messageBytes, isEnd: true, &above, listener)
    if half.isLost { return tellLoss(&half, delivery, listener) }
    if half.held.count == 0 { return }
    discard(&half, .incomplete, "the connection ends inside of a message", listener)
  }

  /// No message was found before the end.
  private static func tellLoss(
    _ half: inout Half, _ delivery: Delivery, _ listener: any Listener
  ) {
    passOver(half.held.count, &half, listener)
    if half.passed > 0 {
      listener.finding(
        FramingLoss.givenUp(
          .framingLost, half.loss, skipped: half.passed, at: delivery.origin, half.seen,
          noun: "messages"))
    } else if let loss = half.loss {
      let who = delivery.origin.direction == .toServer ? "client" : "server"
      listener.finding(loss.atEnd(.framingLost, who, at: delivery.origin, half.seen))
    }
    (half.loss, half.passed) = (nil, 0)
  }
}

extension Finding.Code {
  /// A message of a stream lacks bytes.
  static let incomplete: Self = "stream.message-incomplete"
  /// The length before a message is not that of the message (LSP, "Base Protocol").
  static let lengthWrong: Self = "stream.length-wrong"
  /// After a gap, messages were found again.
  static let resynchronised: Self = "stream.resynchronised"
  /// After a gap, no message was found.
  static let framingLost: Self = "stream.framing-lost"
  /// A message of a stream is larger than `Limits.messageBytes`.
  static let tooLong: Self = "stream.message-too-long"
}

/// What may be found wrong with messages that a stream carries without frames.
public enum StreamFindings {
  public static let all: [Explanation] = [
    Explanation(
      .incomplete, .warning, isLoss: true, "A message is incomplete, and is not shown.",
      cause: "Packets that were not captured, or a connection that ended too early.",
      remedy: "Capture anew, with a larger buffer (-B).", source: "wamptap"),
    Explanation(
      .lengthWrong, .error, "The length that stands before a message is not that of the message.",
      cause: "Characters were counted instead of bytes, or something was sent in between.",
      remedy: "Count the bytes of the text in UTF-8, and send nothing else on the connection.",
      source: "LSP, \"Base Protocol\""),
    Explanation(
      .tooLong, .warning, "A message is larger than the limit.",
      cause: "A bracket or a quote that is never closed, or a very large message.",
      remedy: "See where it begins; what follows is read from the next line on.",
      source: "wamptap"),
    Explanation(
      .resynchronised, .warning, or: .note, isLoss: true,
      "Messages were found again; a note when no gap is known before them.",
      cause: "A gap, a capture that began within a message, or bytes that are no message.",
      remedy: "It says about how many messages are missing: an answer may have been among them.",
      source: "wamptap"),
    Explanation(
      .framingLost, .warning, isLoss: true,
      "No beginning of a message was found before the connection ended.",
      cause: "A gap near the end of a connection, or one direction that was not captured.",
      remedy: "Capture again without losses. Missing bytes are counted; nothing is guessed.",
      source: "wamptap"),
  ]
}
