// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// Discards everything: for evidence that is only scanned.
public final class NullSink: EvidenceSink {
  public init() {}

  public func packet(_: RawSpan, _: Packet) {}
  public func message(_: RawSpan, _: Delivery) {}
  public func finding(_: Finding) {}
}
