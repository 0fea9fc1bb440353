// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// STOMP 1.0 to 1.2. Each direction is read as one byte stream: a WebSocket message may contain
/// several frames, and a frame may span several messages.
public struct STOMPLayer: Layer {
  /// One direction.
  private struct Half {
    var framing: STOMPFraming
    /// The last frame was reported before its NUL came.
    var owesNUL = false
    /// The beginning of an incomplete frame.
    var held = ResyncBuffer()
    /// This direction's share of the memory that all connections may hold.
    var room: Reservation
    var wait = WaitNotice()
  }

  private var toServer: Half
  private var toClient: Half
  private var session: STOMPSession
  private var transcript: STOMPTranscript
  /// The frames may be in JSON form.
  private let mayBeJSON: Bool
  private var firstEnd = Direction.unknown
  private var hasEnded = false

  public init(_ opening: Opening, limits: Limits) {
    let isStream = opening.carrier == .stream
    // Streams are segmented anywhere; a WebSocket message begins with a frame, or continues one.
    let half = Half(
      framing: STOMPFraming(
        mostHeaders: limits.frameHeaders, longestAwaited: isStream ? limits.messageBytes : 0),
      room: Reservation(limits.unfinishedBytes))
    (toServer, toClient) = (half, half)
    session = STOMPSession(opening, limits: limits)
    transcript = STOMPTranscript(limits: limits)
    mayBeJSON = opening.provenance.isTranscoded || !opening.client.isKnown
    if isStream && !opening.isFromStart {
      toServer.framing.resynchronise()
      toClient.framing.resynchronise()
    }
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if session.carrier.isStream && hasEnded {
      return listener.account(.afterClose, bytes.byteCount)
    }
    if mayBeJSON && report(json: bytes, delivery, listener) { return }
    if delivery.origin.direction == .toClient {
      Self.receive(bytes, delivery, &toClient, &session, listener)
    } else {
      Self.receive(bytes, delivery, &toServer, &session, listener)
    }
  }

  public mutating func hear(_ delivery: Delivery, _ listener: any Listener) {
    session.noteActivity(delivery.origin, listener)
  }

  /// Reports a text that is the JSON of a frame or a heart-beat; false when it is something else.
  private mutating func report(
    json: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    let isLineFeed = json.equals(#""\n""#) || json.equals(#""\u000a""#)
    if isLineFeed || json.equals(#""\r\n""#) || json.equals(#""\u000d\u000a""#) {
      session.noteActivity(delivery.origin, listener)
      let lineEnd = isLineFeed ? [0x0A] as [UInt8] : [0x0D, 0x0A]
      session.reportHeartBeat(lineEnd.span.bytes, delivery.origin, listener)
      return true
    }
    var frame = STOMPFrame()
    guard transcript.read(json, into: &frame) else { return false }
    session.noteActivity(delivery.origin, listener)
    let bytes = transcript.bytes
    session.report(&frame, bytes.bytes, delivery.origin, listener)
    return true
  }

  private static func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ half: inout Half, _ session: inout STOMPSession,
    _ listener: any Listener
  ) {
    let kind = delivery.kind
    if kind == .withheld || kind.isPartial || kind == .abridged {
      miss(&half, &session, listener)
      if kind == .withheld {
        return UnclaimedLayer.withhold(bytes, delivery, carrier: session.carrier.name, listener)
      }
      return UnclaimedLayer.report(
        bytes, delivery, mayHoldSecrets: true, carrier: session.carrier.name, listener)
    }
    // The last frame was reported without its NUL, which may begin this message.
    if half.owesNUL && bytes.byteCount > 0 {
      half.owesNUL = false
      if bytes.byte(at: 0) == 0 {
        let rest = bytes.dropping(1)
        if rest.byteCount == 0 { return session.noteActivity(delivery.origin, listener) }
        return receive(
          rest, delivery.advanced(by: 1), &half, &session, listener)
      }
    }
    // Pasted texts are independent.
    let isAlone = delivery.origin.direction == .unknown
    if !session.carrier.isStream || delivery.edges.contains(.start) { half.framing.begin() }
    session.noteActivity(delivery.origin, listener)
    if half.held.count == 0 {
      let beat = STOMPFraming.Beat(
        bytes, begins: !session.carrier.isStream || delivery.edges.contains(.start),
        ends: !session.carrier.isStream || delivery.edges.contains(.end))
      let rest = pass(
        bytes, border: nil, isEnd: isAlone, beat, &half.framing, &session, listener
      ) {
        var origin = delivery.origin
        origin.offset += UInt64($0.start)
        return origin
      }
      if rest == bytes.byteCount { return }
      half.held.append(bytes.dropping(rest), delivery.advanced(by: rest))
      noteWait(bytes.dropping(rest), delivery, &half, listener)
      if !session.carrier.isStream, half.held.count <= session.carrier.longest,
        bytes.firstIndex(of: 0, from: rest) == nil,
        STOMPFraming.lacksOnlyNUL(bytes.dropping(rest), takesBody: session.isNew)
      {
        cut(&half, border: nil, isEnd: true, &session, listener)
        half.owesNUL = half.held.count == 0
      }
    } else {
      let border = session.carrier.isStream ? nil : half.held.count
      half.held.append(bytes, delivery)
      cut(&half, border: border, isEnd: isAlone, &session, listener)
      noteWait(bytes, delivery, &half, listener)
    }
    if half.held.count <= session.carrier.longest && half.room.reserve(half.held.cost) { return }
    discard(
      &half, &session, .stompTooLong, "a frame is larger than the limit", listener)
  }

  /// Reports that frames are reported late, while later bytes are needed to find the end of one
  /// whose body may contain others.
  private static func noteWait(
    _ bytes: RawSpan, _ delivery: Delivery, _ half: inout Half, _ listener: any Listener
  ) {
    if !half.framing.isUndecided { return half.wait.end(listener) }
    if half.wait.isReported { return }
    if STOMPFraming.hasFrame(bytes) { half.wait.begin(delivery.origin, listener) }
  }

  /// Reports the complete frames; returns the number of consumed bytes.
  private static func pass(
    _ bytes: RawSpan, border: Int?, isEnd: Bool, _ beat: STOMPFraming.Beat,
    _ framing: inout STOMPFraming, _ session: inout STOMPSession, _ listener: any Listener,
    origin: (ByteRange) -> Origin
  ) -> Int {
    var start = 0
    search: while true {
      let wasLost = framing.isLost
      switch framing.next(in: bytes, from: start, border: border, isEnd: isEnd, beat: beat) {
      case .frame(let next):
        if session.carrier.isStream { listener.account(.reported, next - start) }
        session.report(&framing.frame, bytes, origin(framing.frame.range), listener)
        start = next
      case .heartBeat(let next):
        if session.carrier.isStream { listener.account(.reported, next - start) }
        let range = ByteRange(start, next)
        session.reportHeartBeat(bytes[range], origin(range), listener)
        start = next
      case .lineEnd(let next):
        if session.carrier.isStream { listener.account(.reported, next - start) }
        start = next
      case .unknown(let next):
        let range = ByteRange(start, next)
        reportUnknown(
          bytes[range], origin(range), isRest: framing.isBehindFrameWithoutLength, wasLost: wasLost,
          &session, listener)
        framing.isLost = true
        start = next
      case .incomplete: break search
      }
    }
    // The framing's offsets begin at the first remaining byte.
    framing.removed(start)
    return start
  }

  /// Reports bytes that are not a frame.
  private static func reportUnknown(
    _ bytes: RawSpan, _ origin: Origin, isRest: Bool, wasLost: Bool,
    _ session: inout STOMPSession, _ listener: any Listener
  ) {
    session.misread()
    if session.carrier.isStream {
      listener.account(.skipped, bytes.byteCount)
    } else {
      UnclaimedLayer.report(
        bytes, Delivery(origin, UTF8.firstInvalid(in: bytes) == nil ? .text : .binary),
        mayHoldSecrets: false, carrier: session.carrier.name, listener)
    }
    if wasLost { return }
    listener.finding(
      isRest ? .stompNULInBody : .stompUnknownCommand, .error, origin,
      isRest
        ? "the bytes behind the NUL begin no frame: a body with a NUL in it needs a"
          + " content-length"
        : "this begins no frame: a command should stand here",
      isAboutLastMessage: !session.carrier.isStream)
  }

  /// Reports the complete frames among the held bytes.
  private static func cut(
    _ half: inout Half, border: Int?, isEnd: Bool, _ session: inout STOMPSession,
    _ listener: any Listener
  ) {
    let held = half.held
    let beat = STOMPFraming.Beat(
      held.bytes.bytes, begins: held.isBorder(0, .start), ends: held.isBorder(held.count, .end))
    let count = pass(
      held.bytes.bytes, border: border, isEnd: isEnd, beat, &half.framing, &session, listener
    ) {
      var origin = held.origin(at: max($0.start, $0.end - 1))
      origin.offset = held.origin(at: $0.start).offset
      return origin
    }
    half.held.removeFirst(count)
    if half.held.count == 0 { half.room.giveBack() }
  }

  /// No more bytes will come to find the end of a frame with `content-length`: decides by those
  /// that are there.
  private static func decide(
    _ half: inout Half, _ session: inout STOMPSession,
    _ listener: any Listener
  ) {
    guard session.carrier.isStream, half.framing.isUndecided else { return }
    half.framing.isWaitingOver = true
    cut(&half, border: nil, isEnd: false, &session, listener)
    half.framing.isWaitingOver = false
  }

  private static func discard(
    _ half: inout Half, _ session: inout STOMPSession, _ code: Finding.Code,
    _ text: String, _ listener: any Listener
  ) {
    decide(&half, &session, listener)
    defer { half.wait.end(listener) }
    let count = half.held.count
    let hasFrame =
      !half.framing.isBehindGap || STOMPFraming.behindLineEnds(half.held.bytes.bytes, 0) < count
    half.framing.resynchronise()
    session.miss()
    if count == 0 { return }
    if session.carrier.isStream { listener.account(hasFrame ? .incomplete : .skipped, count) }
    defer {
      half.held.removeAll()
      half.room.giveBack()
    }
    if !hasFrame { return }
    var finding = Finding(
      code, .warning, half.held.origin(at: 0), "\(text): \(count) bytes of it are not shown")
    finding.lostMessages = 1
    listener.finding(finding)
  }

  private static func miss(
    _ half: inout Half, _ session: inout STOMPSession, _ listener: any Listener
  ) {
    discard(
      &half, &session, .stompIncomplete, "a part of a frame was not captured", listener)
  }

  public mutating func gap(_: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.origin.direction == .toClient {
      Self.miss(&toClient, &session, listener)
    } else {
      Self.miss(&toServer, &session, listener)
    }
  }

  public mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    if hasEnded { return }
    let direction = delivery.origin.direction
    if firstEnd == .unknown && ending != .endOfEvidence { firstEnd = direction }
    if ending != .half || direction != .toClient {
      Self.flush(&toServer, ending, &session, listener)
    }
    if ending != .half || direction == .toClient {
      Self.flush(&toClient, ending, &session, listener)
    }
    if ending == .half { return }
    hasEnded = true
    session.finish(ending, by: firstEnd, delivery, listener)
    if session.carrier.isStream {
      listener.closed(Closing(stream: ending, by: firstEnd), delivery)
    }
  }

  /// At the end: the last WebSocket message is complete, and so is a frame of a stream that lacks
  /// only its NUL, if its sender closed the stream.
  private static func flush(
    _ half: inout Half, _ ending: Ending, _ session: inout STOMPSession,
    _ listener: any Listener
  ) {
    decide(&half, &session, listener)
    if half.held.count == 0 { return half.wait.end(listener) }
    let isAll = ending == .half || ending == .closed
    if !session.carrier.isStream || isAll && half.framing.lacksOnlyNUL(half.held.bytes.bytes) {
      cut(&half, border: nil, isEnd: true, &session, listener)
    }
    if half.held.count == 0 { return }
    discard(
      &half, &session, .stompIncomplete, "the connection ends inside of a frame", listener)
  }
}
