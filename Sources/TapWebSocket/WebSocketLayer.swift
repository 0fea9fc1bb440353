// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// WebSocket frames to messages (RFC 6455 §5), inflated where permessage-deflate was negotiated
/// (RFC 7692). Not the handshake: that is HTTP's.
///
/// A frame that lies whole in what was lent is unmasked, or read where it lies, and passed up at
/// once. After a gap it goes on exactly where the length of the frame allows it, and searches for
/// the next frame where it does not.
public struct WebSocketLayer: Layer {
  private var toServer = Half()
  private var toClient = Half()
  private var above: any Layer
  private var closing: Closing?
  private var firstEnd: Direction = .unknown
  private var hasEnded = false
  private let limits: Limits

  /// - Parameter isFromStart: whether the first byte that will be lent begins a frame.
  public init(
    _ opening: Opening, carrying above: any Layer, limits: Limits, isFromStart: Bool = true
  ) {
    self.above = above
    self.limits = limits
    toServer.masks = true
    toClient.masks = false
    if let deflate = opening.deflate {
      toServer.mayCompress = true
      toServer.keepsContext = deflate.clientKeepsContext
      toServer.windowBits = deflate.clientWindowBits
      toClient.mayCompress = true
      toClient.keepsContext = deflate.serverKeepsContext
      toClient.windowBits = deflate.serverWindowBits
    }
    if !isFromStart {
      toServer.search = FrameSearch()
      toClient.search = FrameSearch()
    }
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if delivery.origin.direction == .toServer {
      Self.receive(bytes, delivery, &toServer, &above, &closing, limits, listener)
    } else {
      Self.receive(bytes, delivery, &toClient, &above, &closing, limits, listener)
    }
  }

  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.origin.direction == .toServer {
      Self.gap(missing, delivery, &toServer, &above, &closing, limits, listener)
    } else {
      Self.gap(missing, delivery, &toClient, &above, &closing, limits, listener)
    }
    above.gap(nil, delivery, listener)
  }

  public mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if hasEnded { return }
    let direction = delivery.origin.direction
    if ending != .half || direction == .toServer {
      Self.flush(delivery, .toServer, &toServer, &above, &closing, limits, listener)
    }
    if ending != .half || direction == .toClient {
      Self.flush(delivery, .toClient, &toClient, &above, &closing, limits, listener)
    }
    if firstEnd == .unknown && ending != .endOfEvidence { firstEnd = direction }
    if ending == .half { return }
    hasEnded = true
    above.finish(ending, delivery, listener)
    var told = closing ?? Closing(by: firstEnd)
    told.isReset = ending == .reset
    told.isUnfinished = ending == .endOfEvidence && !(toServer.hasClosed && toClient.hasClosed)
    listener.closed(told, delivery)
  }

  /// Passes bytes on, to the frames where their borders are known, to the search where not.
  private static func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ half: inout Half, _ above: inout any Layer,
    _ closing: inout Closing?, _ limits: Limits, _ listener: any Listener
  ) {
    if half.search == nil {
      FrameDecoder.walk(bytes, delivery, &half, &above, &closing, limits, listener)
      return
    }
    half.search!.append(bytes, delivery)
    resume(delivery, isEnd: false, &half, &above, &closing, limits, listener)
  }

  private static func gap(
    _ missing: Int?, _ delivery: Delivery, _ half: inout Half, _ above: inout any Layer,
    _ closing: inout Closing?, _ limits: Limits, _ listener: any Listener
  ) {
    // What was held before the hole has to be judged without what the hole swallowed.
    if half.search != nil {
      resume(delivery, isEnd: true, &half, &above, &closing, limits, listener)
    }
    if half.search == nil, let missing,
      FrameDecoder.passOver(missing, delivery, &half, &above, &closing, limits, listener)
    {
      return
    }
    if half.search == nil {
      FrameDecoder.abandon(delivery, &half, listener)
      half.search = FrameSearch()
      half.lostAt = delivery.origin.offset
    }
  }

  /// No more comes in this direction.
  private static func flush(
    _ delivery: Delivery, _ direction: Direction, _ half: inout Half, _ above: inout any Layer,
    _ closing: inout Closing?, _ limits: Limits, _ listener: any Listener
  ) {
    var delivery = delivery
    delivery.origin.direction = direction
    if half.search != nil {
      resume(delivery, isEnd: true, &half, &above, &closing, limits, listener)
    }
    if half.search == nil { FrameDecoder.abandon(delivery, &half, listener) }
  }

  /// Searches the held bytes for a frame, and goes on from there when one is found.
  private static func resume(
    _ delivery: Delivery, isEnd: Bool, _ half: inout Half, _ above: inout any Layer,
    _ closing: inout Closing?, _ limits: Limits, _ listener: any Listener
  ) {
    let answer = half.search!.firstFrame(
      masked: half.masks, compressed: half.mayCompress, isEnd: isEnd)
    guard case .found(let start, _) = answer else {
      if isEnd || half.search!.count > limits.resyncBytes {
        giveUp(delivery, &half, listener)
      }
      return
    }
    let search = half.search!
    half.search = nil
    report(start, search, &half, listener)
    for index in 0..<search.pieceCount {
      guard let (range, piece) = search.piece(index, from: start) else { continue }
      FrameDecoder.walk(
        search.held.bytes[range], piece, &half, &above, &closing, limits, listener)
    }
  }

  private static func report(
    _ skipped: Int, _ search: FrameSearch, _ half: inout Half, _ listener: any Listener
  ) {
    guard let (_, first) = search.piece(0, from: 0) else { return }
    listener.account(.skipped, skipped)
    // A new connection whose first frame stands at its first byte lost nothing.
    if skipped == 0 && half.messages == 0 && half.lostAt == 0 { return }
    var at = first
    for index in 0..<search.pieceCount {
      if let (_, piece) = search.piece(index, from: skipped) {
        at = piece
        break
      }
    }
    let resumed = at.origin
    listener.finding(
      Finding(
        .resynchronised, skipped == 0 ? .note : .warning, resumed,
        "frames were recognised again by their form at byte \(resumed.offset) of the stream, packet \(resumed.record); \(skipped) captured bytes before that belong to frames whose beginning is missing"
      ))
  }

  private static func giveUp(_ delivery: Delivery, _ half: inout Half, _ listener: any Listener) {
    let count = half.search!.count
    half.search!.removeAll()
    if count == 0 { return }
    listener.account(.skipped, count)
    listener.finding(
      Finding(
        .framingLost, .warning, delivery.origin,
        "\(count) captured bytes after a gap could not be recognised as frames"))
  }
}
