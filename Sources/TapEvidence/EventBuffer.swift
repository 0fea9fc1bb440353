// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// Records what an input reports, in order, to replay it for a sink later, maybe on another thread.
public final class EventBuffer: EventSink {
  // A single variable: Swift checks exclusive access for each one.
  private var kept = KeptEvents()

  public init() {}

  public func take(_ event: EvidenceEvent, _ bytes: RawSpan) { kept.append(event, bytes) }

  /// Passes everything that was recorded on to a sink, and empties the buffer.
  public func play(onto sink: any EvidenceSink) {
    // A class cannot lend what it stores, so the buffer is moved out while it is lent.
    var kept = KeptEvents()
    swap(&kept, &self.kept)
    while !kept.isEmpty { kept.playNext(onto: sink) }
    kept.removeAll()
    swap(&kept, &self.kept)
  }

  /// Evidence that is read ahead is not live.
  public func quiet(for silence: Int64, at now: Instant) -> Int64? { nil }
}
