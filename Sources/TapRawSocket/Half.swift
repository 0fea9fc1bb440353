// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What is kept of one direction of a RawSocket connection.
struct Half {
  /// A frame whose payload has not come to its end.
  struct Pending {
    var header: FrameHeader
    /// The packet in which it began.
    var firstRecord: UInt64
    /// Bytes of the payload that are behind us, captured or not.
    var passed = 0
    /// Bytes that were never captured.
    var missing = 0
    var isTooLarge = false
    /// All messages that are being put together leave none for this one.
    var hasNoRoom = false
  }

  /// The captured bytes of the handshake of this side.
  var greeting = Scratch()
  /// Bytes of the handshake that are behind us, captured or not.
  var greeted = 0
  /// A header that is not all there.
  var partial = Scratch()
  /// The packet in which it began.
  var partialRecord: UInt64 = 0
  var pending: Pending?
  /// The payload of `pending` so far.
  var payload = Scratch()
  /// What it has taken of what all messages that are being put together may hold.
  var room: Reservation?
  /// Set while the framing is not known.
  var search: MessageSearch?
  /// Bytes wait for it.
  var wait = WaitNotice()
  /// The most that the other side will take.
  var mostOctets = Int.max
  var serializer: Serializer?
  /// The payloads, as hashes, of the PINGs of this side that wait for an answer.
  var pings: ContiguousArray<UInt64> = []
  /// PONGs of this side that repeat no PING: one may follow that was captured late.
  var earlyPongs: ContiguousArray<(key: UInt64, finding: Finding)> = []
  /// A PING of this side may have been passed over, so that not every PONG has one.
  var mayLackPings = false
  /// Whether frames are to be told with their messages.
  var tellsFrames = false
  /// Bytes of what was told and not yet accounted for: one call less for each message.
  var told = 0
  /// For the estimate of how many messages a gap swallowed.
  var seen = FramingLoss.Seen()
  /// The gaps since the framing was lost; nil when nothing was lost (the capture began here).
  var loss: FramingLoss?

  /// The payload was told, or will not be.
  mutating func dropPayload() {
    payload.removeAll()
    payload.shrink(above: 256 << 10)
    if room?.keeps(payload.capacity) == false { payload.shrink(above: 0) }
  }

  /// Takes room for what is searched; answers whether there was some.
  mutating func reserveSearch() -> Bool { room?.reserve(search?.held.cost ?? 0) ?? true }

  var hasGreeted: Bool { greeted == Handshake.size }

  /// Nil when it is not all there, or was not captured whole.
  var handshake: Handshake? {
    greeting.count == Handshake.size ? Handshake(greeting.bytes) : nil
  }
}
