// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The sink of one input of a timeline. What is due is passed on at once, without a copy; what
/// comes too early is copied and waits. The main loop does not read an input while something of it
/// waits, so no more than one chunk waits.
final class TimelineLane: EventSink {
  /// Findings before the first record that may wait for its time; further ones are reported at
  /// once.
  private static let mostLeading = 256

  private let sink: any EvidenceSink
  private var kept = KeptEvents()

  /// The latest time so far. The order within an input is kept: a record with an earlier time than
  /// one before it counts as having the later time.
  private(set) var latest = Int64.min
  /// The time of the first record; findings before it get this time.
  private var start = Int64.min
  /// A packet or message has come, so it is known when this input begins.
  private(set) var hasBegun = false
  var hasEnded = false

  /// Up to which time things are passed on; nil when it is another input's turn.
  var limit: Int64?

  init(onto sink: any EvidenceSink) { self.sink = sink }

  var isEmpty: Bool { kept.isEmpty }

  var wantsMore: Bool { sink.wantsMore }

  /// While entries wait here, silence of the input means nothing to the sink.
  func quiet(for silence: Int64, at now: Instant) -> Int64? {
    isEmpty ? sink.quiet(for: silence, at: now) : nil
  }

  var waitingBytes: Int { kept.waitingBytes }

  /// The earliest time that the next event can have; `Int64.min` when the input has no times.
  var next: Int64 { isEmpty ? latest : max(kept.nextTime, start) }

  func take(_ event: EvidenceEvent, _ bytes: RawSpan) {
    if isDue(event) { return event.play(onto: sink, bytes) }
    kept.append(event, bytes, at: latest)
  }

  /// Whether an event that has just come may be passed on at once. Notes the time of a record.
  private func isDue(_ event: EvidenceEvent) -> Bool {
    switch event {
    // Secrets have no time, and packets may be waiting for them. Order does not matter for counts.
    case .secrets, .count: return true
    case .packet(let packet): return isDue(at: packet.time)
    case .message(let delivery), .stream(let delivery), .control(_, let delivery),
      .gap(_, let delivery), .opened(_, let delivery), .closed(_, let delivery):
      return isDue(at: delivery.origin.time)
    case .refuse(_, let origin): return isDue(at: origin.time)
    case .context(let line):
      // A line without a time belongs to the record before it, or to the first that has a time.
      latest = max(latest, line.origin.time.nanoseconds)
      if !hasBegun && (line.origin.time.isKnown || kept.count >= Self.mostLeading) {
        (hasBegun, start) = (true, latest)
      }
      return isDue
    case .finding: return hasBegun ? isDue : kept.count >= Self.mostLeading
    case .endStream, .recognised: return isDue
    }
  }

  private var isDue: Bool {
    guard let limit else { return false }
    return isEmpty && latest <= limit
  }

  /// The same of a record with its time.
  private func isDue(at time: Instant) -> Bool {
    latest = max(latest, time.nanoseconds)
    if !hasBegun { (hasBegun, start) = (true, latest) }
    return isDue
  }

  /// Passes on the waiting entries that are due.
  func drain() {
    guard let limit else { return }
    // A class cannot lend what it stores, so the buffer is moved out while it is lent.
    var kept = KeptEvents()
    swap(&kept, &self.kept)
    while !kept.isEmpty && max(kept.nextTime, start) <= limit { kept.playNext(onto: sink) }
    if kept.isEmpty { kept.removeAll() }
    swap(&kept, &self.kept)
  }
}
