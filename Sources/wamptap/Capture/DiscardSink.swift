// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Takes evidence that is only copied.
final class DiscardSink: EvidenceSink {
  func packet(_ bytes: RawSpan, _ packet: Packet) {}
  func message(_ bytes: RawSpan, _ delivery: Delivery) {}
  func finding(_ finding: Finding) {}
}
