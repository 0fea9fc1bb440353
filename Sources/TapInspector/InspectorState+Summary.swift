// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Counts that have no line of their own.
extension InspectorState {
  mutating func account(_ fate: Fate, _ bytes: Int) {
    summary.bytes[fate.rawValue] &+= UInt64(bytes)
  }

  mutating func count(_ thing: Counter, _ amount: Int) {
    let before = Int(truncatingIfNeeded: summary.things[thing.rawValue])
    summary.things[thing.rawValue] = UInt64(max(0, before &+ amount))
  }

  mutating func captured(_ captures: [Summary.Capture]) { summary.captures = captures }

  /// Counts a message that came without packets. The verdict about each input says how many it had.
  @inline(never)
  mutating func countWritten(_ message: Message) {
    if !message.traits.isDisjoint(with: [.isControl, .bodyInNotes]) { return }
    let input = Int(message.origin.input)
    while written.count <= input { written.append(0) }
    written[input] &+= 1
  }

  /// The end of the evidence.
  mutating func finish(hasPackets: Bool, hasConversations: Bool, _ stop: Summary.Stop?) {
    summary.hasConversations = hasConversations
    summary.hasPackets = hasPackets || !summary.captures.isEmpty
    summary.stop = stop
    summary.evicted = evicted
    renderer.summary(summary, into: &text)
  }
}
