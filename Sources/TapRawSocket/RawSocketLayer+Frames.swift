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
    let before = half.loss.map(\.bytes) ?? 0
    half.loss = Half.Loss(bytes: before.flatMap { sum in missing.map { sum + $0 } })
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
    if let loss = half.loss { tellLossAtEnd(loss, half, delivery, listener) }
    half.loss = nil
    if half.told > 0 { listener.account(.told, half.told) }
    half.told = 0
  }

  /// Searches the held bytes for a frame, and goes on from there when one is found.
  private static func resume(
    _ delivery: Delivery, isEnd: Bool, missing: Int? = nil, _ half: inout Half,
    _ other: inout Half, _ above: inout any Layer, _ limits: FrameLimits,
    _ listener: any Listener
  ) {
    let answer = half.search!.firstFrame(isEnd: isEnd, missing: missing)
    guard case .found(let start, _, _) = answer else {
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
      FrameReader.walk(
        search.held.bytes[range], piece, &half, &other, &above, limits, listener)
    }
  }

  private static func report(
    _ skipped: Int, _ search: MessageSearch, _ half: inout Half, _ listener: any Listener
  ) {
    listener.account(.skipped, skipped)
    let loss = half.loss
    half.loss = nil
    if loss == nil && skipped == 0 { return }
    var resumed = Origin()
    for index in 0..<search.pieceCount {
      if let (_, piece) = search.piece(index, from: skipped) {
        resumed = piece.origin
        break
      }
    }
    var text = "frames were recognised again by their form at byte \(resumed.offset) of the stream"
    if skipped > 0 {
      text += "; \(skipped) captured bytes before it belong to frames whose beginning is missing"
    }
    var finding = Finding(.resynchronised, .warning, resumed, text)
    if let loss {
      let count = estimate(loss, skipped, half)
      finding.lostMessages = count
      let size = loss.bytes.map { "\($0) bytes" } ?? "unknown size"
      let messages = count == 1 ? "1 message" : "\(count) messages"
      finding.text = "a gap of \(size) swallowed about \(messages); " + text
    } else {
      finding.severity = .note
    }
    listener.finding(finding)
  }

  /// About how many messages were lost, by the mean size of those that were not; at least one.
  private static func estimate(_ loss: Half.Loss, _ skipped: Int, _ half: Half) -> UInt64 {
    guard let bytes = loss.bytes, half.messages > 0 else { return 1 }
    let mean = max(1, half.messageBytes / half.messages)
    return UInt64(max(1, (bytes + skipped + mean / 2) / mean))
  }

  /// The direction ended before frames were found again.
  private static func tellLossAtEnd(
    _ loss: Half.Loss, _ half: Half, _ delivery: Delivery, _ listener: any Listener
  ) {
    let who = delivery.origin.direction == .toServer ? "client" : "router"
    let size = loss.bytes.map { "\($0) bytes" } ?? "an unknown number of bytes"
    var finding = Finding(
      .framingLost, .warning, delivery.origin,
      half.messages == 0
        ? "no message of the \(who) was captured; \(size) are missing"
        : "\(size) of the \(who) are missing, and no message after them was captured")
    finding.lostMessages = estimate(loss, 0, half)
    listener.finding(finding)
  }

  private static func giveUp(_ delivery: Delivery, _ half: inout Half, _ listener: any Listener) {
    let count = half.search!.count
    half.search!.removeAll()
    if count == 0 { return }
    listener.account(.skipped, count)
    var finding = Finding(
      .framingLost, .warning, delivery.origin,
      "\(count) captured bytes after a gap could not be recognised as frames")
    if let loss = half.loss { finding.lostMessages = estimate(loss, count, half) }
    half.loss = nil
    listener.finding(finding)
  }
}
