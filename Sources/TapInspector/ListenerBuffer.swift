// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Keeps what layers tell, in order, for a listener that hears it later, maybe on another thread.
/// Who fills it and who plays it must not do so at once: nobody checks.
public final class ListenerBuffer: Listener {
  /// What comes along with a message.
  private struct Entry: BitwiseCopyable {
    var byteCount: Int
    var noteCount: Int
    /// How many events were told before it.
    var events: Int
    /// What it was made of was told right before it.
    var wasSent: Bool
  }

  /// Bytes as they were sent; they stand ahead of those of the message.
  private struct Sent: BitwiseCopyable {
    var byteCount: Int
    var trailing: Int
    var serializer: StaticString

    var event: ListenerEvent {
      ListenerEvent(.sent(trailing: trailing, serializer), byteCount)
    }
  }

  private struct Kept {
    // Written for each message: an array would ask for owners with each.
    var messages = WorkingList<Message>()
    /// As many as messages.
    var entries = WorkingList<Entry>()
    /// What some of the messages were made of, in order.
    var allSent: ContiguousArray<Sent> = []
    var events: ContiguousArray<ListenerEvent> = []
    /// The bytes of all messages and events, one after the other.
    var bytes = Scratch()
    var notes: ContiguousArray<Note> = []
    var totals = EventTotals()
    /// Roughly what `events` take in memory, but for their bytes.
    var eventCost = 0
    /// Of the message that comes next, which most of them precede at once.
    var sent: Sent?

    /// Something else comes ahead of the message.
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

  /// Memory of an empty buffer that is kept for what comes next.
  private static let spareBytes = 4 << 20

  // A cell, as it is touched for each message.
  private let kept = Cell(Kept())
  /// Bytes that may be kept.
  private let most: Int
  /// Called when it is full; it is to be emptied.
  private let whenFull: () -> Void

  /// - Parameters:
  ///   - bytes: how many may be kept, roughly; the last message is kept whole.
  ///   - whenFull: called in the middle of what is told; has to exchange or to play it.
  public init(most bytes: Int = .max, whenFull: @escaping () -> Void = {}) {
    (most, self.whenFull) = (bytes, whenFull)
  }

  /// Each gets what the other has.
  public func exchange(with other: ListenerBuffer) { swap(&kept.value, &other.kept.value) }

  /// Tells a listener all that was kept, and forgets it. Nobody may fill it meanwhile.
  public func play(onto listener: any Listener) {
    // Taken out while the listener is called: what it does may come back to the cell.
    var kept = Kept()
    swap(&kept, &self.kept.value)
    var (event, byte, note, sentCount) = (0, 0, 0, 0)
    func tellEvents(to end: Int) {
      while event < end {
        let told = kept.events[event]
        told.tell(listener, kept.bytes.bytes.extracting(byte..<byte + told.byteCount))
        byte += told.byteCount
        event += 1
      }
    }
    kept.settleSent()
    for index in 0..<kept.messages.count {
      let entry = kept.entries[index]
      if entry.events > event { tellEvents(to: entry.events) }
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
    tellEvents(to: kept.events.count)
    kept.totals.tell(listener)
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

  private func keep(_ event: ListenerEvent) {
    kept.value.settleSent()
    kept.value.events.append(event)
    kept.value.eventCost += event.cost
    if kept.value.size > most { whenFull() }
  }

  private func keep(_ call: ListenerEvent.Call, _ bytes: RawSpan) {
    kept.value.settleSent()
    kept.value.bytes.append(bytes)
    keep(ListenerEvent(call, bytes.byteCount))
  }

  public func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    kept.value.bytes.append(bytes)
    // A HELLO may have hundreds of thousands: an array that doubles would take twice as much.
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
    if kept.value.size > most { whenFull() }
  }

  public func account(_ fate: Fate, _ bytes: Int) { kept.value.totals.account(fate, bytes) }

  public func count(_ thing: Counter, _ amount: Int) {
    kept.value.totals.count(thing, amount)
  }

  public func framed(_ framing: Framing) { keep(ListenerEvent(.framed(framing))) }

  public func sent(_ octets: RawSpan, trailing: Int, as serializer: StaticString) {
    kept.value.settleSent()
    kept.value.bytes.append(octets)
    kept.value.sent = Sent(
      byteCount: octets.byteCount, trailing: trailing, serializer: serializer)
  }

  public func subject(_ uri: RawSpan) { keep(.subject, uri) }

  public func lesson(_ lesson: LearnedName, _ bytes: RawSpan, in message: Message) {
    keep(.lesson(lesson, message), bytes)
  }

  public func context(_ words: RawSpan, _ line: ContextLine) { keep(.context(line), words) }

  public func waiting(from origin: Origin) { keep(ListenerEvent(.waiting(origin))) }

  public func caughtUp(_ origin: Origin) { keep(ListenerEvent(.caughtUp(origin))) }

  public func follows(_ origin: Origin) { keep(ListenerEvent(.follows(origin))) }

  public func opened(_ opening: Opening, _ delivery: Delivery) {
    keep(ListenerEvent(.opened(opening, delivery)))
  }

  public func refused(_ attempt: Opening, _ delivery: Delivery) {
    keep(ListenerEvent(.refused(attempt, delivery)))
  }

  public func finding(_ finding: Finding) { keep(ListenerEvent(.finding(finding))) }

  public func keepAlive(_ keepAlive: KeepAlive, _ delivery: Delivery) {
    keep(ListenerEvent(.keepAlive(keepAlive, delivery)))
  }

  public func closed(_ closing: Closing, _ delivery: Delivery) {
    keep(ListenerEvent(.closed(closing, delivery)))
  }
}
