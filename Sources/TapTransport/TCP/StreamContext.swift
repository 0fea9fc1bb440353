// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What accompanies delivered bytes of one half: the sender, the flow, the packet.
struct StreamContext {
  var flow: UInt32
  var direction: Direction
  var stamp: PacketStamp

  func delivery(_ offset: Int64, edges: Delivery.Edges = []) -> Delivery {
    Delivery(stamp.origin(flow: flow, direction, offset: offset), .stream, edges: edges)
  }

  /// The same with another packet.
  func seen(_ other: PacketStamp) -> StreamContext {
    StreamContext(flow: flow, direction: direction, stamp: other)
  }

  /// "to the server", for findings.
  var directionWords: String { direction == .toClient ? "to the client" : "to the server" }
}
