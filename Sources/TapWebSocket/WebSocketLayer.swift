// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// From WebSocket frames to messages (RFC 6455 §5), inflated if permessage-deflate was negotiated
/// (RFC 7692). The handshake is part of the HTTP layer.
///
/// A frame that is complete in the lent bytes is passed up at once, without a copy unless it is
/// masked. After a gap, the length of the current frame says where the next one begins; where it
/// does not, the next one is searched for.
public struct WebSocketLayer: Layer {
  var toServer: Half
  var toClient: Half
  var connection: Connection
  private var firstEnd: Direction = .unknown
  /// What ended first was a stream of a connection that carries several.
  private var isStreamEnd = false
  private var hasEnded = false
  private var isSettled = false
  let isMultiplexed: Bool
  /// Silence that is longer than this is reported, in nanoseconds.
  let patience: Int64

  /// - Parameters:
  ///   - plain: buffer for unmasking payloads, which several layers may share.
  ///   - isFromStart: whether the first lent byte begins a frame.
  ///   - reportsFrames: whether the framing of each message is reported before the message.
  public init(
    _ opening: borrowing Opening, carrying above: any Layer, limits: borrowing Limits,
    plain: Cell<Scratch> = Cell(Scratch()), isFromStart: Bool = true, reportsFrames: Bool = false
  ) {
    connection = Connection(above, limits)
    (patience, isMultiplexed) = (limits.gapTimeout, opening.isMultiplexed)
    (toServer, toClient) = (Half(plain), Half(plain))
    (toServer.masks, toClient.masks) = (true, false)
    (toServer.reportsFrames, toClient.reportsFrames) = (reportsFrames, reportsFrames)
    toServer.room = Reservation(limits.assembledBytes)
    toClient.room = Reservation(limits.assembledBytes)
    (toServer.contexts, toClient.contexts) = (
      limits.deflateContextBytes, limits.deflateContextBytes
    )
    if let deflate = opening.deflate { agree(deflate) }
    let extensions = opening.extensions.count
    if extensions > 0 {
      toServer.isExtended = extensions > (opening.deflate == nil ? 0 : 1)
      toClient.isExtended = toServer.isExtended
    }
    if !opening.isFromStart {
      toServer.decompression.value.loseContext()
      toClient.decompression.value.loseContext()
    }
    if !isFromStart {
      toServer.search = FrameSearch()
      toClient.search = FrameSearch()
    }
  }

  private mutating func agree(_ deflate: Opening.Deflate) {
    toServer.mayCompress = true
    toServer.decompression.value.keepsContext = deflate.clientKeepsContext
    toServer.decompression.value.windowBits = deflate.clientWindowBits
    toClient.mayCompress = true
    toClient.decompression.value.keepsContext = deflate.serverKeepsContext
    toClient.decompression.value.windowBits = deflate.serverWindowBits
  }

  /// Bytes of messages that were reported; they are accounted for when their direction ends.
  var unaccounted: Int { toServer.reported + toClient.reported }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if delivery.origin.direction == .toServer {
      toServer.lastTime = delivery.origin.time
      Self.receive(bytes, delivery, &toServer, &connection, listener)
    } else {
      toClient.lastTime = delivery.origin.time
      Self.receive(bytes, delivery, &toClient, &connection, listener)
    }
    // Once the dialect is known, hold its layer directly.
    if !isSettled { isSettled = Settlement.settle(&connection.above) }
  }

  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.origin.direction == .toServer {
      Self.gap(missing, delivery, &toServer, &connection, listener)
    } else {
      Self.gap(missing, delivery, &toClient, &connection, listener)
    }
    connection.above.gap(nil, delivery, listener)
  }

  public mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if hasEnded { return }
    let direction = delivery.origin.direction
    if ending != .half || direction == .toServer {
      Self.flush(delivery, .toServer, &toServer, &connection, listener)
    }
    if ending != .half || direction == .toClient {
      Self.flush(delivery, .toClient, &toClient, &connection, listener)
    }
    let isOfStream = isMultiplexed && !delivery.edges.contains(.connection)
    if firstEnd == .unknown && ending != .endOfEvidence {
      (firstEnd, isStreamEnd) = (direction, isOfStream)
    }
    if ending != .endOfEvidence { noteEnd(direction, delivery.origin.time) }
    if ending == .half { return }
    hasEnded = true
    let isMissed = isFirstCloseMissed
    reportEnd(ending, isMissed: isMissed, delivery, listener)
    var ended = delivery
    // The side that sent the first CLOSE, or else ended the stream first.
    let by = isMissed ? firstEnd : connection.closing?.by ?? firstEnd
    if ending == .closed && by != .unknown { ended.origin.direction = by }
    connection.above.finish(ending, ended, listener)
    var reported = connection.closing ?? Closing(by: firstEnd)
    if isMissed {
      (reported.by, reported.code, reported.reason, reported.isEndMissed) = (
        .unknown, nil, [], true
      )
    }
    reported.isReset = ending == .reset
    if ending == .reset {
      reported.transportEnd = isOfStream ? "RST_STREAM" : "RST"
    } else if firstEnd != .unknown {
      reported.transportEnd = isStreamEnd ? "END_STREAM" : "FIN"
    }
    reported.isUnfinished = ending == .endOfEvidence && !(toServer.hasClosed && toClient.hasClosed)
    listener.closed(reported, delivery)
  }

  /// Whether the first CLOSE may be lost in a gap, behind which no frames were found.
  private var isFirstCloseMissed: Bool {
    guard let side = connection.closing?.by else {
      return toServer.search != nil || toClient.search != nil
    }
    let otherHasClosed = side == .toServer ? toClient.hasClosed : toServer.hasClosed
    return connection.mayBeAnswer && !otherHasClosed
  }

  /// Passes bytes to the decoder if frame boundaries are known, otherwise to the search.
  @inline(__always)
  private static func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ half: inout Half, _ connection: inout Connection,
    _ listener: any Listener
  ) {
    if half.search == nil {
      FrameDecoder.walk(bytes, delivery, &half, &connection, listener)
      if half.plain.value.capacity > Half.keptBytes { half.shrinkPlain() }
      return
    }
    half.wait.begin(delivery.origin, listener)
    half.search!.append(bytes, delivery)
    resume(delivery, isEnd: false, &half, &connection, listener)
  }

  private static func gap(
    _ missing: Int?, _ delivery: Delivery, _ half: inout Half, _ connection: inout Connection,
    _ listener: any Listener
  ) {
    half.gapTime = delivery.origin.time
    // Judge the bytes before the gap now: only the gap's size is known of what follows them.
    if half.search != nil {
      half.search!.missing = missing
      resume(delivery, isEnd: true, &half, &connection, listener)
      half.search?.missing = nil
    }
    if half.search == nil, let missing,
      FrameDecoder.passOver(missing, delivery, &half, &connection, listener)
    {
      return
    }
    if half.search == nil {
      FrameDecoder.abandon(delivery, &half, listener)
      half.search = FrameSearch()
    }
    connection.note(delivery.origin.direction, isLost: true)
    if delivery.edges.contains(.sealed) { return }
    if half.loss == nil { half.loss = FramingLoss(missing) } else { half.loss!.add(missing) }
  }

  /// No more bytes come in this direction.
  private static func flush(
    _ delivery: Delivery, _ direction: Direction, _ half: inout Half,
    _ connection: inout Connection, _ listener: any Listener
  ) {
    var delivery = delivery
    delivery.origin.direction = direction
    if half.search != nil {
      resume(delivery, isEnd: true, &half, &connection, listener)
    }
    if half.search == nil { FrameDecoder.abandon(delivery, &half, listener) }
    if let loss = half.loss {
      let who = direction == .toServer ? "client" : "server"
      listener.finding(loss.atEnd(.framingLost, who, at: delivery.origin, half.seen))
    }
    half.loss = nil
    if half.reported > 0 { listener.account(.reported, half.reported) }
    half.reported = 0
    half.giveUpMemory()
  }

  /// Searches the held bytes for a frame, and decodes from there when one is found.
  private static func resume(
    _ delivery: Delivery, isEnd: Bool, _ half: inout Half, _ connection: inout Connection,
    _ listener: any Listener
  ) {
    let answer = half.search!.firstFrame(
      masked: half.masks, compressed: half.mayCompress || half.isExtended || half.hasInflated,
      isEnd: isEnd)
    guard case .found(let start, _) = answer else {
      if isEnd || half.search!.held.cost > connection.limits.resyncBytes || !half.reserveSearch() {
        giveUp(delivery, &half, listener)
      }
      return
    }
    let held = half.search!.held
    half.search = nil
    connection.note(delivery.origin.direction, isLost: false)
    half.seenBeforeGap = half.seen.messages
    report(start, held, &half, listener)
    for index in 0..<held.pieceCount {
      guard let (range, piece) = held.piece(index, from: start) else { continue }
      FrameDecoder.walk(
        held.bytes.bytes[range], piece, &half, &connection, listener)
    }
    half.wait.end(listener)
    if half.text.isEmpty { half.keepMemory() }
  }

  private static func report(
    _ skipped: Int, _ held: ResyncBuffer, _ half: inout Half, _ listener: any Listener
  ) {
    listener.account(.skipped, skipped)
    let finding = FramingLoss.resumed(
      .resynchronised, half.loss, skipped: skipped, at: held.origin(at: skipped), half.seen)
    half.loss = nil
    if let finding { listener.finding(finding) }
  }

  private static func giveUp(_ delivery: Delivery, _ half: inout Half, _ listener: any Listener) {
    let count = half.search!.count
    half.search!.removeAll()
    half.room?.giveBack()
    if count == 0 { return }
    listener.account(.skipped, count)
    listener.finding(
      FramingLoss.givenUp(.framingLost, half.loss, skipped: count, at: delivery.origin, half.seen))
    half.loss = nil
    half.wait.end(listener)
  }
}
