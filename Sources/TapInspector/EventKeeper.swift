// SPDX-License-Identifier: Apache-2.0
import TapBytes
package import TapTraffic

/// A listener that records what it hears as events. The most frequent calls it handles itself:
/// messages, and bytes that are only counted.
package protocol EventKeeper: Listener {
  /// - Parameter bytes: the bytes that come with the call; empty for most.
  func keep(_ call: ListenerEvent.Call, _ bytes: RawSpan)
}

extension EventKeeper {
  func keep(_ call: ListenerEvent.Call) { keep(call, RawSpan()) }

  package func framed(_ framing: Framing) { keep(.framed(framing)) }

  package func subject(_ uri: RawSpan) { keep(.subject, uri) }

  package func lesson(_ lesson: LearnedName, _ bytes: RawSpan, in message: Message) {
    keep(.lesson(lesson, message), bytes)
  }

  package func context(_ words: RawSpan, _ line: ContextLine) { keep(.context(line), words) }

  package func waiting(from origin: Origin) { keep(.waiting(origin)) }

  package func caughtUp(_ origin: Origin) { keep(.caughtUp(origin)) }

  package func follows(_ origin: Origin) { keep(.follows(origin)) }

  package func opened(_ opening: Opening, _ delivery: Delivery) {
    keep(.opened(opening, delivery))
  }

  package func refused(_ attempt: Opening, _ delivery: Delivery) {
    keep(.refused(attempt, delivery))
  }

  package func finding(_ finding: Finding) { keep(.finding(finding)) }

  package func keepAlive(_ keepAlive: KeepAlive, _ delivery: Delivery) {
    keep(.keepAlive(keepAlive, delivery))
  }

  package func closed(_ closing: Closing, _ delivery: Delivery) {
    keep(.closed(closing, delivery))
  }
}
