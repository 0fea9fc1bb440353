// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Messages that are reported later, with everything that is reported along with them. Their bytes
/// share one buffer and their notes another, so that a message needs no allocation of its own.
struct HeldMessages {
  /// What is reported right before a message.
  struct Parts {
    var framing: Framing?
    var sent: (octets: [UInt8], trailing: Int, serializer: StaticString)?
    var subject: [UInt8]?

    var isEmpty: Bool { framing == nil && sent == nil && subject == nil }
    var cost: Int { (sent?.octets.count ?? 0) + (subject?.count ?? 0) }
  }

  private struct Entry: BitwiseCopyable {
    var message: Message
    var bytes: ByteRange
    var notes: ByteRange
    var hasParts: Bool
  }

  /// Bytes of reported messages that may remain in the buffer; above it, the buffer is compacted
  /// once they outweigh the others.
  private static let slack = 1 << 20

  /// What was reported for the next message.
  var next = Parts()
  private var entries: ContiguousArray<Entry> = []
  private var free: ContiguousArray<Int> = []
  private var bytes = Scratch()
  private var notes: ContiguousArray<Note> = []
  private var parts: [Int: Parts] = [:]
  private var count = 0
  /// Bytes of messages that are still to be reported.
  private var live = 0
  /// Bytes of `parts`.
  private var partBytes = 0

  /// Approximate memory use in bytes.
  var cost: Int {
    live + partBytes + count * MemoryLayout<Entry>.stride + notes.count * MemoryLayout<Note>.stride
  }

  /// Keeps a message; returns its slot.
  mutating func keep(_ message: Message, _ text: RawSpan, _ all: Span<Note>) -> Int {
    let (start, first) = (bytes.count, notes.count)
    bytes.append(text)
    for index in all.indices { notes.append(all[index]) }
    let entry = Entry(
      message: message, bytes: ByteRange(start, bytes.count),
      notes: ByteRange(first, notes.count), hasParts: !next.isEmpty)
    let slot = free.popLast() ?? entries.count
    if slot == entries.count { entries.append(entry) } else { entries[slot] = entry }
    if entry.hasParts {
      parts[slot] = next
      partBytes += next.cost
      next = Parts()
    }
    count += 1
    live += text.byteCount
    return slot
  }

  /// Reports the message in a slot, and frees the slot.
  mutating func report(_ slot: Int, _ listener: some Listener) {
    let entry = entries[slot]
    if entry.hasParts, let parts = parts.removeValue(forKey: slot) {
      partBytes -= parts.cost
      if let framing = parts.framing { listener.framed(framing) }
      if let sent = parts.sent {
        listener.sent(sent.octets.span.bytes, trailing: sent.trailing, as: sent.serializer)
      }
      if let subject = parts.subject { listener.subject(subject.span.bytes) }
    }
    listener.message(
      entry.message, bytes.bytes[entry.bytes],
      notes.span.extracting(entry.notes.start..<entry.notes.end))
    free.append(slot)
    count -= 1
    live -= entry.bytes.count
    if count == 0 {
      removeAll()
    } else if bytes.count > Self.slack && bytes.count > 2 * live {
      compact()
    }
  }

  private mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    free.removeAll(keepingCapacity: true)
    notes.removeAll(keepingCapacity: true)
    bytes.removeAll()
    bytes.shrink(above: Self.slack)
    live = 0
  }

  /// Removes the bytes and notes of messages that were reported.
  private mutating func compact() {
    let reported = Set(free)
    var (freshBytes, freshNotes) = (Scratch(), ContiguousArray<Note>())
    for slot in entries.indices where !reported.contains(slot) {
      let entry = entries[slot]
      let (start, first) = (freshBytes.count, freshNotes.count)
      freshBytes.append(bytes.bytes[entry.bytes])
      freshNotes += notes[entry.notes.start..<entry.notes.end]
      entries[slot].bytes = ByteRange(start, freshBytes.count)
      entries[slot].notes = ByteRange(first, freshNotes.count)
    }
    (bytes, notes) = (freshBytes, freshNotes)
  }
}
