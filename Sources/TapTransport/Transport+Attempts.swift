// SPDX-License-Identifier: Apache-2.0
import TapTraffic

extension Transport {
  /// Reports that a client got no connection.
  @inline(never)
  func reportAttempt(
    _ slot: Int, isUnanswered: Bool, _ stamp: PacketStamp, _ listener: any Listener
  ) {
    let ends = flows.endpoints(slot)
    var attempt = Opening(.stream, client: ends.client, server: ends.server, isFromStart: true)
    attempt.isUnanswered = isUnanswered
    let direction: Direction = isUnanswered ? .toServer : .toClient
    listener.refused(attempt, Delivery(stamp.origin(flow: 0, direction, offset: 0)))
  }
}
