// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// An answer that was captured before its request, as happens with several capture queues, and what
/// the server sent after it.
struct HTTP2Answer {
  var head: Head
  var delivery: Delivery
  /// Content of DATA frames.
  var held: ReplayBuffer
  var hasEnded = false

  init(_ head: Head, _ delivery: Delivery, _ limits: Limits) {
    (self.head, self.delivery, held) = (head, delivery, ReplayBuffer(limits.undecided))
  }
}
