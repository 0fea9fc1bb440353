// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Cuts the bytes of a stream into messages and passes on each one whole. A message has the time
/// and the packet of its last byte.
///
/// A message that is complete in the lent bytes is not copied. After a gap, the length of the
/// current message says where the next one begins; where it does not, the next one is searched for.
public struct FramedLayer: Layer {
  private var toServer: FramedHalf
  private var toClient: FramedHalf
  private var above: any Layer
  private var firstEnd = Direction.unknown
  private var hasEnded = false
  private var isSettled = false

  /// - Parameter isFromStart: whether the first bytes of each direction begin a message.
  public init(
    _ toServer: any StreamFraming, _ toClient: any StreamFraming, carrying above: any Layer,
    isFromStart: Bool
  ) {
    self.toServer = FramedHalf(toServer, isFromStart: isFromStart)
    self.toClient = FramedHalf(toClient, isFromStart: isFromStart)
    self.above = above
  }

  /// Bytes of messages that were reported; they are accounted for when their direction ends.
  public var unaccounted: Int { toServer.reported + toClient.reported }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if hasEnded { return listener.account(.afterClose, bytes.byteCount) }
    if delivery.origin.direction == .toServer {
      toServer.receive(bytes, delivery, &above, listener)
    } else {
      toClient.receive(bytes, delivery, &above, listener)
    }
    // Once the dialect is known, hold its layer directly.
    if !isSettled { isSettled = Settlement.settle(&above) }
  }

  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.origin.direction == .toServer {
      toServer.gap(missing, delivery, &above, listener)
    } else {
      toClient.gap(missing, delivery, &above, listener)
    }
    above.gap(nil, delivery, listener)
  }

  public mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    if hasEnded { return }
    let direction = delivery.origin.direction
    if firstEnd == .unknown && ending != .endOfEvidence { firstEnd = direction }
    if ending != .half || direction == .toServer {
      toServer.finish(delivery.sent(.toServer), &above, listener)
    }
    if ending != .half || direction == .toClient {
      toClient.finish(delivery.sent(.toClient), &above, listener)
    }
    if ending == .half { return }
    hasEnded = true
    above.finish(ending, delivery, listener)
    listener.closed(Closing(stream: ending, by: firstEnd), delivery)
  }
}
