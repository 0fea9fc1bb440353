// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Takes nothing of the evidence but its TLS secrets.
final class SecretsSink: EvidenceSink {
  private let take: (RawSpan) -> Void

  init(_ take: @escaping (RawSpan) -> Void) { self.take = take }

  func secrets(_ keyLog: RawSpan, _: Origin) { take(keyLog) }
  func packet(_: RawSpan, _: Packet) {}
  func message(_: RawSpan, _: Delivery) {}
  func finding(_: Finding) {}
}
