// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Gaps, and messages that are not shown.
extension FramedHalf {
  /// The current message has reached its end, but cannot be passed on.
  mutating func end(_ origin: Origin, _ above: inout any Layer, _ listener: any Listener) {
    let lost = begun!
    begun = nil
    dropParts()
    guard report(lost.loss!, lost.captured, origin, listener) else { return }
    seen.messages &+= 1
    seen.bytes &+= lost.size
    // The message that is missing may have been anything.
    above.gap(nil, Delivery(origin), listener)
  }

  /// Gives up the current message, as its end will never be known. Returns how many bytes of it
  /// there were.
  @discardableResult
  mutating func discard(
    _ loss: MessageLoss, _ origin: Origin, _ listener: any Listener
  ) -> Int {
    let count = begun?.captured ?? held.count
    let first = begun?.origin ?? held.origin(at: 0)
    if count > 0 { report(loss, count, placesEnds ? origin : first, listener) }
    begun = nil
    held.removeAll()
    dropParts()
    return count
  }

  /// Reports a message that is not shown; false if the framing has nothing to say about it.
  @discardableResult
  func report(
    _ loss: MessageLoss, _ captured: Int, _ origin: Origin, _ listener: any Listener
  ) -> Bool {
    listener.account(.incomplete, captured)
    guard let text = framing.words(for: loss, captured: captured) else { return false }
    let code = loss.isBound ? framing.traits.tooLong : framing.traits.incomplete
    var finding = Finding(code, .warning, origin, text)
    finding.lostMessages = 1
    listener.finding(finding)
    return true
  }

  /// It is not known any more where the next message begins.
  mutating func lose() {
    isLost = true
    framing.resynchronise()
  }

  /// Searches the held bytes for the next message, again and again while frame boundaries are lost.
  mutating func search(
    _ end: SearchEnd, _ above: inout any Layer, _ listener: any Listener
  ) {
    var isEnd = false
    if case .end = end { isEnd = true }
    while isLost, held.count > 0 {
      guard let start = framing.beginning(in: held, end) else { return }
      var origin = held.origin(at: min(start, held.count - 1))
      if start == held.count { origin.offset += 1 }
      passOver(start, listener)
      let traits = framing.traits
      if let finding = FramingLoss.resumed(
        traits.resynchronised, loss, skipped: passed, at: origin, seen, noun: traits.noun)
      {
        listener.finding(finding)
      }
      (isLost, loss, passed) = (false, nil, 0)
      cut(isEnd: isEnd, &above, listener)
    }
    if !isLost { wait.end(listener) }
  }

  /// Skips bytes in search of a message.
  private mutating func passOver(_ count: Int, _ listener: any Listener) {
    if count == 0 { return }
    listener.account(.skipped, count)
    passed += count
    framing.removed(count)
    held.removeFirst(count)
    if held.count == 0 { room.giveBack() }
  }

  /// No message was found in the bytes that are held, nor in those skipped before them.
  mutating func giveUp(_ delivery: Delivery, _ listener: any Listener) {
    passOver(held.count, listener)
    let traits = framing.traits
    if passed > 0 {
      listener.finding(
        FramingLoss.givenUp(
          traits.framingLost, loss, skipped: passed, at: delivery.origin, seen, noun: traits.noun))
    } else if let loss {
      let who = delivery.origin.direction == .toServer ? "client" : traits.server
      listener.finding(loss.atEnd(traits.framingLost, who, at: delivery.origin, seen))
    }
    (loss, passed) = (nil, 0)
    wait.end(listener)
  }

  /// If the length of the current message shows that the whole gap lies within it, the next message
  /// follows at its end. Otherwise the next one has to be searched for.
  mutating func gap(
    _ missing: Int?, _ delivery: Delivery, _ above: inout any Layer, _ listener: any Listener
  ) {
    // Judge the bytes before the gap now: only the gap's size is known of what follows them.
    if isLost { search(.gap(missing), &above, listener) }
    if let missing, let rest = begun?.rest, rest >= missing {
      begun!.passed += missing
      begun!.missing += missing
      begun!.loss = .hole(begun!.missing)
      dropParts()
      if rest == missing { end(delivery.origin, &above, listener) }
      return
    }
    var cutOff = 0
    if isLost {
      passOver(held.count, listener)
      wait.end(listener)
    } else {
      cutOff = discard(.gap(missing: begun?.rest), delivery.origin, listener)
    }
    lose()
    if loss == nil { loss = FramingLoss(missing, begun: cutOff) } else { loss?.add(missing) }
  }

  /// No more comes in this direction.
  mutating func finish(_ delivery: Delivery, _ above: inout any Layer, _ listener: any Listener) {
    if !isLost && begun == nil { cut(isEnd: true, &above, listener) }
    search(.end, &above, listener)
    if isLost {
      giveUp(delivery, listener)
    } else {
      discard(.end(missing: begun?.rest), delivery.origin, listener)
    }
    framing.finish(listener)
    if reported > 0 { listener.account(.reported, reported) }
    reported = 0
    parts = Scratch()
    room.giveBack()
  }
}
