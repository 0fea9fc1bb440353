// SPDX-License-Identifier: Apache-2.0
import TapBytes
package import TapTraffic

/// Records what layers report, for a listener that hears it later.
package final class ListenerBuffer: CallBuffer, EventKeeper {
  /// What is stored along with a message.
  private struct Entry: BitwiseCopyable {
    var byteCount: Int
    var noteCount: Int
    /// How many events come before it.
    var events: Int
    /// The message as it was sent was reported right before it.
    var wasSent: Bool
  }

  /// The bytes of a message as it was sent; they are stored before those of the message.
  private struct Sent: BitwiseCopyable {
    var byteCount: Int
    var trailing: Int
    var serializer: StaticString

    var event: ListenerEvent {
      ListenerEvent(.sent(trailing: trailing, serializer), byteCount)
    }
  }

  private struct Kept {
    // Written for each message: an array would check for unique ownership each time.
    var messages = WorkingList<Message>()
    /// One for each message.
    var entries = WorkingList<Entry>()
    /// The sent form of those messages that have one, in order.
    var allSent: ContiguousArray<Sent> = []
    var events: ContiguousArray<ListenerEvent> = []
    /// The bytes of all messages and events, one after the other.
    var bytes = Scratch()
    var notes: ContiguousArray<Note> = []
    var totals = EventTotals()
    /// Approximate memory use of `events`, without their bytes.
    var eventCost = 0
    /// The sent form of the next message, which usually follows at once.
    var sent: Sent?

    /// Something else comes before the message, so this becomes an event.
    mutating func settleSent() {
      guard let sent else { return }
      events.append(sent.event)
      eventCost += sent.event.cost
      self.sent = nil
    }

    private static let messageCost = MemoryLayout<Message>.stride + MemoryLayout<Entry>.stride

    var size: Int {
      bytes.count + eventCost + messages.count * Self.messageCost
        + notes.count * MemoryLayout<Note>.stride
    }
  }

  // In a cell, as it is accessed for each message.
  private let kept = Cell(Kept())

  /// Swaps the contents of two buffers.
  package func exchange(with other: ListenerBuffer) { swap(&kept.value, &other.kept.value) }

  /// Passes everything that was recorded on to a listener, and empties the buffer. It must not be
  /// filled meanwhile.
  package func play(onto listener: any Listener) {
    // Moved out while the listener is called, as its calls may come back to this cell.
    var kept = Kept()
    swap(&kept, &self.kept.value)
    var (event, byte, note, sentCount) = (0, 0, 0, 0)
    func reportEvents(to end: Int) {
      while event < end {
        let reported = kept.events[event]
        reported.report(listener, kept.bytes.bytes.extracting(byte..<byte + reported.byteCount))
        byte += reported.byteCount
        event += 1
      }
    }
    kept.settleSent()
    for index in 0..<kept.messages.count {
      let entry = kept.entries[index]
      if entry.events > event { reportEvents(to: entry.events) }
      if entry.wasSent {
        let sent = kept.allSent[sentCount]
        sentCount += 1
        listener.sent(
          kept.bytes.bytes.extracting(byte..<byte + sent.byteCount), trailing: sent.trailing,
          as: sent.serializer)
        byte += sent.byteCount
      }
      listener.message(
        kept.messages.span[index], kept.bytes.bytes.extracting(byte..<byte + entry.byteCount),
        kept.notes.span.extracting(note..<note + entry.noteCount))
      byte += entry.byteCount
      note += entry.noteCount
    }
    reportEvents(to: kept.events.count)
    kept.totals.report(listener)
    empty(&kept)
    swap(&kept, &self.kept.value)
  }

  private func empty(_ kept: inout Kept) {
    let keepsMemory = kept.size <= Self.spareBytes
    kept.messages.removeAll(keepingCapacity: keepsMemory)
    kept.entries.removeAll(keepingCapacity: keepsMemory)
    kept.allSent.removeAll(keepingCapacity: keepsMemory)
    kept.events.removeAll(keepingCapacity: keepsMemory)
    kept.notes.removeAll(keepingCapacity: keepsMemory)
    kept.bytes.removeAll()
    kept.bytes.shrink(above: Self.spareBytes)
    kept.eventCost = 0
  }

  package func keep(_ call: ListenerEvent.Call, _ bytes: RawSpan) {
    let event = ListenerEvent(call, bytes.byteCount)
    kept.value.settleSent()
    kept.value.bytes.append(bytes)
    kept.value.events.append(event)
    kept.value.eventCost += event.cost
    check(kept.value.size)
  }

  package func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    kept.value.bytes.append(bytes)
    // A HELLO may have hundreds of thousands of notes: without this, a doubling array would take
    // twice the memory.
    if notes.count > 4096 { kept.value.notes.reserveCapacity(kept.value.notes.count + notes.count) }
    for index in notes.indices { kept.value.notes.append(notes[index]) }
    kept.value.messages.append(message)
    kept.value.entries.append(
      Entry(
        byteCount: bytes.byteCount, noteCount: notes.count, events: kept.value.events.count,
        wasSent: kept.value.sent != nil))
    if let sent = kept.value.sent {
      kept.value.allSent.append(sent)
      kept.value.sent = nil
    }
    check(kept.value.size)
  }

  package func account(_ fate: Fate, _ bytes: Int) { kept.value.totals.account(fate, bytes) }

  package func count(_ thing: Counter, _ amount: Int) {
    kept.value.totals.count(thing, amount)
  }

  package func sent(_ octets: RawSpan, trailing: Int, as serializer: StaticString) {
    kept.value.settleSent()
    kept.value.bytes.append(octets)
    kept.value.sent = Sent(
      byteCount: octets.byteCount, trailing: trailing, serializer: serializer)
  }
}
