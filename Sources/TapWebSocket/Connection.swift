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
  /// Capture time of that CLOSE.
  var closeTime = Instant.unknown
  /// When it came, frames of the other side were looked for behind a gap, in which an earlier CLOSE
  /// may be lost.
  var mayBeAnswer = false
  /// Sides whose frames are looked for behind a gap.
  var isLost = (toServer: false, toClient: false)
  let limits: Limits

  init(_ above: any Layer, _ limits: borrowing TapTraffic.Limits) {
    self.above = above
    self.limits = Limits(messageBytes: limits.messageBytes, resyncBytes: limits.resyncBytes)
  }

  /// Frames of a side are looked for behind a gap, or were found.
  mutating func note(_ direction: Direction, isLost: Bool) {
    if direction == .toServer {
      self.isLost.toServer = isLost
    } else {
      self.isLost.toClient = isLost
    }
  }

  /// A CLOSE comes. Frames behind a gap are found late: it may be the first all the same.
  mutating func reconsiderClosing(_ delivery: Delivery) {
    guard mayBeAnswer, let closing, closing.by != delivery.origin.direction,
      delivery.origin.time.nanoseconds < closeTime.nanoseconds
    else { return }
    self.closing = nil
  }

  /// The first CLOSE was reported.
  mutating func noteClosing(_ delivery: Delivery) {
    closeTime = delivery.origin.time
    mayBeAnswer = delivery.origin.direction == .toServer ? isLost.toClient : isLost.toServer
  }
}
