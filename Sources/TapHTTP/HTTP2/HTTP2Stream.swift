// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// A stream that the client wants for WebSocket (RFC 8441): a conversation of its own.
struct HTTP2Stream {
  /// What was asked for, if that is known; the answer has not come while `above` is not chosen.
  var upgrade: Upgrade?
  var above: any Layer = NullLayer()
  var isOpen = false
  /// What it carries was not said where anybody could read it.
  var isGuess = false
  /// One of those that all connections may have.
  var share: Allowance.Share?
  /// The number of the conversation, once there is one.
  var flow: UInt32 = 0
  /// What the client sent ahead of the answer.
  var held: ReplayBuffer
  /// Bytes of either direction so far.
  var sent: (toServer: UInt64, toClient: UInt64) = (0, 0)
  /// Which sides have said that they are done.
  var hasEnded: (client: Bool, server: Bool) = (false, false)

  init(_ upgrade: Upgrade?, _ limits: Limits) {
    (self.upgrade, held) = (upgrade, ReplayBuffer(limits.undecided))
  }

  /// Content of a DATA frame.
  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    var lent = delivery
    lent.origin.flow = flow
    if delivery.origin.direction == .toServer {
      lent.origin.offset = sent.toServer
      sent.toServer &+= UInt64(bytes.byteCount)
    } else {
      lent.origin.offset = sent.toClient
      sent.toClient &+= UInt64(bytes.byteCount)
    }
    if isOpen {
      above.receive(bytes, lent, listener)
    } else {
      held.append(bytes, lent)
    }
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    var lent = delivery
    lent.origin.flow = flow
    if isOpen {
      above.gap(missing, lent, listener)
    } else {
      held.append(gap: missing, lent)
    }
  }

  /// One side is done, or all is over.
  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    var lent = delivery
    lent.origin.flow = flow
    if isOpen {
      above.finish(ending, lent, listener)
    } else if ending == .half {
      held.append(half: lent)
    }
  }
}
