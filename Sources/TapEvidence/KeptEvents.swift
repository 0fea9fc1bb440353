// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Events that wait for a sink, in order.
struct KeptEvents {
  private struct Entry {
    let event: EvidenceEvent
    /// Length of the bytes that came with it.
    let count: Int
    let time: Int64
  }

  private var entries: ContiguousArray<Entry> = []
  /// How many of `entries` were played.
  private var done = 0
  /// The bytes of all entries, one after the other.
  private var octets = Scratch()
  private var octetsDone = 0

  var isEmpty: Bool { done == entries.count }
  var count: Int { entries.count - done }
  var waitingBytes: Int { octets.count - octetsDone }

  /// The time that the next event was kept with.
  var nextTime: Int64 { entries[done].time }

  mutating func append(_ event: EvidenceEvent, _ bytes: RawSpan, at time: Int64 = .min) {
    octets.append(bytes)
    entries.append(Entry(event: event, count: bytes.byteCount, time: time))
  }

  mutating func playNext(onto sink: any EvidenceSink) {
    let entry = entries[done]
    let start = octetsDone
    done += 1
    octetsDone += entry.count
    entry.event.play(onto: sink, octets.bytes.extracting(start..<octetsDone))
  }

  /// Forgets what was played; keeps a little room for what comes next.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: entries.capacity <= 1 << 12)
    (done, octetsDone) = (0, 0)
    octets.removeAll()
    octets.shrink(above: 1 << 20)
  }
}
