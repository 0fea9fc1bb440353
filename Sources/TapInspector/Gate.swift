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

  public func quiet(for silence: Int64, at now: Instant) -> Int64? {
    quota.isReached ? nil : floor.quiet(for: silence, at: now)
  }

  public func message(_ bytes: RawSpan, _ delivery: Delivery) {
    if !quota.isReached { floor.message(bytes, delivery) }
  }

  public func opened(_ opening: Opening, _ delivery: Delivery) {
    if !quota.isReached { floor.opened(opening, delivery) }
  }

  public func closed(_ closing: Closing, _ delivery: Delivery) { floor.closed(closing, delivery) }

  public func control(_ opcode: UInt8, _ payload: RawSpan, _ delivery: Delivery) {
    if !quota.isReached { floor.control(opcode, payload, delivery) }
  }

  public func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    floor.recognise(text, kind)
  }

  public func isList(_ text: RawSpan) -> Bool { floor.isList(text) }

  public func context(_ words: RawSpan, _ origin: Origin) {
    if !quota.isReached { floor.context(words, origin) }
  }

  public func finding(_ finding: Finding) {
    if !quota.isReached { floor.finding(finding) }
  }

  public func stream(_ bytes: RawSpan, _ delivery: Delivery) {
    if !quota.isReached { floor.stream(bytes, delivery) }
  }

  public func gap(_ missing: Int?, _ delivery: Delivery) {
    if !quota.isReached { floor.gap(missing, delivery) }
  }

  public func endStream(_ delivery: Delivery) { floor.endStream(delivery) }

  public func secrets(_ keyLog: RawSpan, _ origin: Origin) { floor.secrets(keyLog, origin) }

  public func recognised(_ what: String, _ origin: Origin) { floor.recognised(what, origin) }

  public func refuse(_ reason: String, _ origin: Origin) { floor.refuse(reason, origin) }
}
