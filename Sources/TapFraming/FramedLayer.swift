// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Cuts the bytes of a stream into messages and passes each on whole. A message has the time and
/// the packet of its last byte.
public struct FramedLayer<Framing: MessageFraming>: Layer {
  /// One direction.
  private struct Half {
    var framing: Framing
    /// The beginning of a message whose end has not come.
    var held = ResyncBuffer()
    /// What of that which all connections may hold this one has taken.
    var room: Reservation
    /// Bytes that are still to come of a message that is not shown.
    var skipped = 0
    /// Bytes were lost, and no beginning was found since.
    var isLost = false
  }

  private var toServer: Half
  private var toClient: Half
  private var above: any Layer
  private var firstEnd = Direction.unknown
  private var hasEnded = false
  private let limits: Limits

  /// - Parameter isFromStart: whether the first bytes begin a message.
  public init(_ framing: Framing, carrying above: any Layer, limits: Limits, isFromStart: Bool) {
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
    if half.held.count == 0 {
      let rest = pass(
        bytes, most: limits.messageBytes, isEnd: false, &half.framing, &half.isLost, &above,
        listener
      ) {
        var origin = delivery.origin
        origin.offset += UInt64($0.start)
        return origin
      }
      if rest == bytes.byteCount { return }
      half.held.append(bytes.dropping(rest), delivery.advanced(by: rest))
    } else {
      half.held.append(bytes, delivery)
      cut(&half, most: limits.messageBytes, isEnd: false, &above, listener)
    }
    if half.held.count <= limits.messageBytes && half.room.reserve(half.held.cost) { return }
    discard(&half, .tooLong, "a message is larger than the limit", listener)
    above.gap(nil, delivery, listener)
  }

  /// Passes on what is whole; answers how much that was.
  ///
  /// - Parameter origin: where the message of a range was found.
  private static func pass(
    _ bytes: RawSpan, most: Int, isEnd: Bool, _ framing: inout Framing, _ isLost: inout Bool,
    _ above: inout any Layer, _ listener: any Listener, origin: (ByteRange) -> Origin
  ) -> Int {
    var start = 0
    search: while start < bytes.byteCount {
      switch framing.next(in: bytes, from: start, isEnd: isEnd) {
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
        isLost = false
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
        isLost = true
        listener.finding(
          Finding(.lengthWrong, .error, origin(ByteRange(start, start + 1)), "\(reason)"))
        above.gap(nil, Delivery(origin(ByteRange(start, start + 1))), listener)
      case .skip(let next):
        listener.account(isLost ? .skipped : .told, next - start)
        start = next
      case .incomplete: break search
      }
    }
    // Offsets of the framing are those of what is left.
    framing.removed(start)
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
    // Taken out, as what is held is lent meanwhile.
    var (framing, isLost) = (half.framing, half.isLost)
    let held = half.held
    let count = pass(
      held.bytes.bytes, most: most, isEnd: isEnd, &framing, &isLost, &above, listener
    ) {
      var origin = held.origin(at: max($0.start, $0.end - 1))
      origin.offset = held.origin(at: $0.start).offset
      return origin
    }
    (half.framing, half.isLost) = (framing, isLost)
    half.held.removeFirst(count)
    if half.held.count == 0 { half.room.giveBack() }
  }

  /// Gives up the message that has begun, and where the next begins.
  private static func discard(
    _ half: inout Half, _ code: Finding.Code, _ text: String, _ listener: any Listener
  ) {
    half.framing.resynchronise()
    (half.isLost, half.skipped) = (true, 0)
    drop(&half, code, text, listener)
  }

  /// Gives up the message that has begun.
  private static func drop(
    _ half: inout Half, _ code: Finding.Code, _ text: String, _ listener: any Listener
  ) {
    let count = half.held.count
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
    let text = "a part of a message was not captured"
    if let missing, half.skipped >= missing { return half.skipped -= missing }
    let count = half.held.count
    guard let missing, count > 0, !half.isLost,
      let size = half.framing.announcedSize(half.held.bytes.bytes), size - count >= missing
    else { return discard(&half, .incomplete, text, listener) }
    drop(&half, .incomplete, text, listener)
    half.framing.removed(count)
    half.skipped = size - count - missing
  }

  public mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    if hasEnded { return }
    let direction = delivery.origin.direction
    if firstEnd == .unknown && ending != .endOfEvidence { firstEnd = direction }
    if ending != .half || direction == .toServer {
      Self.flush(&toServer, delivery, &above, limits, listener)
    }
    if ending != .half || direction == .toClient {
      Self.flush(&toClient, delivery, &above, limits, listener)
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
    cut(&half, most: limits.messageBytes, isEnd: true, &above, listener)
    if half.held.count == 0 { return }
    discard(&half, .incomplete, "the connection ends inside of a message", listener)
  }
}

extension Finding.Code {
  /// A message of a stream lacks bytes.
  static let incomplete: Self = "stream.message-incomplete"
  /// The length before a message is not that of the message (LSP, "Base Protocol").
  static let lengthWrong: Self = "stream.length-wrong"
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
  ]
}
