// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// The door to the ground floor that closes when a quota is reached.
public final class Gate: Floor {
  private let floor: any Floor
  private let quota: Quota

  public init(_ floor: any Floor, _ quota: Quota) { (self.floor, self.quota) = (floor, quota) }

  public func packet(_ bytes: RawSpan, _ packet: Packet) {
    if !quota.isReached { floor.packet(bytes, packet) }
  }

  public func message(_ bytes: RawSpan, _ delivery: Delivery) {
    if !quota.isReached { floor.message(bytes, delivery) }
  }

  public func finding(_ finding: Finding) {
    if !quota.isReached { floor.finding(finding) }
  }
}
