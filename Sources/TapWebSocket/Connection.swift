// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What both directions of a WebSocket connection share.
struct Connection {
  /// The part of `Limits` that frames need: a copy of all of them would be made with every call.
  struct Limits: BitwiseCopyable {
    let messageBytes: Int
    let resyncBytes: Int
  }

  /// The layer that messages are passed to.
  var above: any Layer
  /// What the first CLOSE said, which starts the closing handshake (RFC 6455 §7.1.3).
  var closing: Closing?
  let limits: Limits

  init(_ above: any Layer, _ limits: borrowing TapTraffic.Limits) {
    self.above = above
    self.limits = Limits(messageBytes: limits.messageBytes, resyncBytes: limits.resyncBytes)
  }
}
