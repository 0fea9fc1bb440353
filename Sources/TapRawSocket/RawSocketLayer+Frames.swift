// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The frames of one direction: read where their borders are known, searched for where not.
extension RawSocketLayer {
  static func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ half: inout Half, _ other: inout Half,
    _ above: inout any Layer, _ limits: FrameLimits, _ listener: any Listener
  ) {
    if half.search == nil {
      return FrameReader.walk(bytes, delivery, &half, &other, &above, limits, listener)
    }
    half.wait.begin(delivery.origin, listener)
    half.search!.append(bytes, delivery)
    resume(delivery, isEnd: false, &half, &other, &above, limits, listener)
  }

  static func gap(
    _ missing: Int?, _ delivery: Delivery, _ half: inout Half, _ other: inout Half,
    _ above: inout any Layer, _ limits: FrameLimits, _ listener: any Listener
  ) {
    // What was held before the hole has to be judged without what the hole swallowed, but for how
    // much that was.
    if half.search != nil {
      resume(delivery, isEnd: true, missing: missing, &half, &other, &above, limits, listener)
    }
    if half.search == nil, let missing,
      FrameReader.passOver(missing, delivery, &half, &other, &above, limits, listener)
    {
      return
    }
    half.mayLackPings = true
    if half.search == nil {
      FrameReader.abandon(delivery, &half, listener)
      half.search = MessageSearch(half.serializer)
    }
    if half.loss == nil { half.loss = FramingLoss(missing) } else { half.loss!.add(missing) }
  }

  /// No more comes in this direction.
  static func flush(
    _ delivery: Delivery, _ direction: Direction, _ half: inout Half, _ other: inout Half,
    _ above: inout any Layer, _ limits: FrameLimits, _ listener: any Listener
  ) {
    var delivery = delivery
    delivery.origin.direction = direction
    if half.search != nil {
      resume(delivery, isEnd: true, &half, &other, &above, limits, listener)
    }
    if half.search == nil { FrameReader.abandon(delivery, &half, listener) }
    if !half.hasGreeted && !half.greeting.isEmpty {
      listener.account(.incomplete, half.greeting.count)
      half.greeting.removeAll()
    }
    if let loss = half.loss {
      let who = direction == .toServer ? "client" : "router"
      listener.finding(loss.atEnd(.framingLost, who, at: delivery.origin, half.seen))
    }
    half.loss = nil
    FrameTeller.tellEarlyPongs(before: nil, &half, listener)
    if half.told > 0 { listener.account(.told, half.told) }
    half.told = 0
    half.payload = Scratch()
    half.room?.giveBack()
  }

  /// Searches the held bytes for a frame, and goes on from there when one is found.
  private static func resume(
    _ delivery: Delivery, isEnd: Bool, missing: Int? = nil, _ half: inout Half,
    _ other: inout Half, _ above: inout any Layer, _ limits: FrameLimits,
    _ listener: any Listener
  ) {
    let answer = half.search!.firstFrame(isEnd: isEnd, missing: missing)
    guard case .found(let start, _, _) = answer else {
      if isEnd || half.search!.held.cost > limits.resyncBytes || !half.reserveSearch() {
        giveUp(delivery, &half, listener)
      }
      return
    }
    let held = half.search!.held
    half.search = nil
    report(start, held, &half, listener)
    for index in 0..<held.pieceCount {
      guard let (range, piece) = held.piece(index, from: start) else { continue }
      FrameReader.walk(
        held.bytes.bytes[range], piece, &half, &other, &above, limits, listener)
    }
    half.wait.end(listener)
    if half.payload.isEmpty { half.dropPayload() }
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
