// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What both directions of a WebSocket connection have in common.
struct Connection {
  /// Those of the `Limits` that frames need: all of them would be copied with every call.
  struct Limits: BitwiseCopyable {
    let messageBytes: Int
    let resyncBytes: Int
  }

  /// What the messages are passed to.
  var above: any Layer
  /// What the first CLOSE said, which starts the closing handshake (RFC 6455 §7.1.3).
  var closing: Closing?
  let limits: Limits

  init(_ above: any Layer, _ limits: borrowing TapTraffic.Limits) {
    self.above = above
    self.limits = Limits(messageBytes: limits.messageBytes, resyncBytes: limits.resyncBytes)
  }
}
