// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapFraming
import TapTraffic

/// Splits one direction into frames: a header has the length and the type of each.
final class RawSocketFraming: StreamFraming {
  let traits: FramingTraits
  /// The largest message that the other side accepts, in bytes.
  var mostOctets = Int.max
  private let serializer: Serializer?
  private let direction: Direction
  private let pairs: HeartbeatPairs
  /// Whether to report frames with their messages.
  private let reportsFrames: Bool
  private var search: MessageSearch
  /// The last header, and whether its faults were reported.
  private var header = FrameHeader()
  private var isReported = false

  init(
    _ direction: Direction, _ serializer: Serializer?, _ pairs: HeartbeatPairs, _ limits: Limits,
    reportsFrames: Bool
  ) {
    (self.direction, self.serializer, self.pairs) = (direction, serializer, pairs)
    (self.reportsFrames, search) = (reportsFrames, MessageSearch(serializer))
    var traits = FramingTraits(
      incomplete: .messageIncomplete, tooLong: .messageTooLarge, resynchronised: .resynchronised,
      framingLost: .framingLost, longest: limits.messageBytes,
      longestSearch: limits.resyncBytes, room: limits.assembledBytes)
    (traits.noun, traits.server, traits.placesEnds) = ("frames", "router", true)
    traits.kind = serializer?.kind ?? .binary
    self.traits = traits
  }

  func next(in bytes: RawSpan, from start: Int, isEnd _: Bool) -> FramedMessage {
    guard bytes.byteCount &- start >= FrameHeader.size else { return .incomplete }
    header = FrameHeader(bytes, at: start)
    if (header.first > FrameHeader.Kind.pong || header.length > mostOctets) && !isReported {
      isReported = true
      return .faults(faults(), start &+ FrameHeader.size)
    }
    let body = start &+ FrameHeader.size
    let end = body &+ header.length
    if end > bytes.byteCount { return .begun(head: FrameHeader.size, body: header.length) }
    isReported = false
    let payload = ByteRange(body, end)
    return isSpecial(bytes[payload]) ? .special(payload, next: end) : .message(payload, next: end)
  }

  private func isSpecial(_ payload: RawSpan) -> Bool {
    header.kind != FrameHeader.Kind.message || reportsFrames
      || traits.kind == .text && UTF8.firstInvalid(in: payload) != nil
  }

  /// The faults of a single header.
  @inline(never)
  private func faults() -> [Finding] {
    var faults: [Finding] = []
    if header.hasReserved {
      faults.append(
        Finding(
          .reservedBits, .error, Origin(),
          "reserved bits are set in the header of a frame: its first byte is "
            + "0x\(Self.hexadecimal(header.first))"))
    }
    if !header.isKnown {
      faults.append(
        Finding(
          .unknownType, .error, Origin(),
          "frame type \(header.kind) has no meaning; its \(header.length) bytes are not shown"))
    }
    if header.length > mostOctets {
      let receiver = direction == .toServer ? "router" : "client"
      faults.append(
        Finding(
          .oversize, .error, Origin(),
          "a frame of \(header.length) bytes, where the \(receiver) has announced to take"
            + " \(mostOctets) at most"))
    }
    return faults
  }

  private static func hexadecimal(_ octet: UInt8) -> String {
    let digits = String(octet, radix: 16, uppercase: true)
    return octet < 16 ? "0" + digits : digits
  }

  func pass(
    _ payload: RawSpan, _ delivery: Delivery, from record: UInt64, _ above: inout any Layer,
    _ listener: any Listener
  ) -> FramedKind {
    // An unknown type carries no message; the finding was reported with its header.
    guard header.isKnown else { return .nothing }
    if reportsFrames { reportFrame(from: record, delivery, listener) }
    guard header.kind == FrameHeader.Kind.message else {
      pairs.report(isPing: header.kind == FrameHeader.Kind.ping, payload, delivery, listener)
      return .control
    }
    var lent = delivery
    let invalid = lent.kind == .text ? UTF8.firstInvalid(in: payload) : nil
    if invalid != nil { lent.kind = .brokenText }
    above.receive(payload, lent, listener)
    if let invalid {
      listener.remark(
        .invalidUTF8, .error, delivery.origin,
        "a message in JSON is not UTF-8 from its byte \(invalid) on")
    }
    return .message
  }

  /// Reports the frame of the next message.
  @inline(never)
  private func reportFrame(
    from record: UInt64, _ delivery: Delivery, _ listener: any Listener
  ) {
    var framing = Framing(
      opcode: header.kind, isMasked: false, key: 0, wireBytes: FrameHeader.size + header.length,
      firstRecord: record, delivery.origin)
    framing.carrier = .rawSocket
    listener.framed(framing)
  }

  func beginning(in held: ResyncBuffer, _ end: SearchEnd) -> Int? {
    var (isEnd, missing) = (true, Int?.none)
    switch end {
    case .more: isEnd = false
    case .gap(let count): missing = count
    case .end: break
    }
    guard case .found(let start, _, _) = search.firstFrame(in: held, isEnd: isEnd, missing: missing)
    else { return nil }
    search = MessageSearch(serializer)
    return start
  }

  func removed(_ count: Int) { search.removed(count) }

  func resynchronise() {
    search = MessageSearch(serializer)
    isReported = false
    pairs.missPings(direction)
  }

  func words(for loss: MessageLoss, captured: Int) -> String? {
    isReported = false
    switch loss {
    case .gap(let missing), .end(let missing):
      let rest = missing.map { ", at least \($0) are missing" } ?? ""
      return "the end of a message was not captured: \(captured) bytes of it are there\(rest)"
    case .hole, .tooLong, .noRoom:
      if header.kind == FrameHeader.Kind.ping { pairs.missPings(direction) }
      return header.isKnown ? loss.words(captured: captured) : nil
    }
  }

  func finish(_ listener: any Listener) { pairs.finish(direction, listener) }
}
