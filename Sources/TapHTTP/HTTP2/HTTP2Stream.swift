// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// A stream that the client asks to use for WebSocket (RFC 8441): a conversation of its own.
struct HTTP2Stream {
  /// The request, if known. Until `isOpen`, the answer has not come.
  var upgrade: Upgrade?
  var above: any Layer = NullLayer()
  var isOpen = false
  /// No readable request or answer shows what it carries.
  var isGuess = false
  /// Its share of `Limits.allHTTP2Streams`.
  var share: Allowance.Share?
  /// The flow number of the conversation, once there is one.
  var flow: UInt32 = 0
  /// What the client sent before the answer.
  var held: ReplayBuffer
  /// Bytes of each direction so far.
  var sent: (toServer: UInt64, toClient: UInt64) = (0, 0)
  /// Which sides have ended the stream.
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

  /// One side has ended, or both.
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
