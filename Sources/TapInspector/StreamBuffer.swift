// SPDX-License-Identifier: Apache-2.0
import TapBytes
package import TapTraffic

/// Records what the transport passes to the layers above it and to the listener, to be played
/// later.
package final class StreamBuffer: CallBuffer, EventKeeper {
  /// The most frequent call: bytes for a layer. With `place` 0 it stands for the next event in
  /// `events`.
  private struct Call: BitwiseCopyable {
    var delivery: Delivery
    var byteCount: Int
    /// Which layer; 0 for an event.
    var place: UInt32
  }

  private enum Event {
    case reported(ListenerEvent)
    case gap(Int?, Delivery, UInt32)
    case finish(Ending, Delivery, UInt32)
    indirect case open(Opening, UInt32)
    indirect case doubt(Finding, UInt32)
    /// Secrets in the capture.
    case secrets
  }

  private struct Kept {
    // An array would check for unique ownership with each call.
    var calls = WorkingList<Call>()
    var events: ContiguousArray<Event> = []
    /// The bytes of all calls, one after the other.
    var bytes = Scratch()
    var totals = EventTotals()
    /// Approximate memory use of `events`.
    var eventCost = 0

    var size: Int { bytes.count + eventCost + calls.count * MemoryLayout<Call>.stride }
  }

  private let kept = Cell(Kept())

  /// Swaps the contents of two buffers.
  package func exchange(with other: StreamBuffer) { swap(&kept.value, &other.kept.value) }

  /// Makes all recorded calls, and empties the buffer. It must not be filled meanwhile.
  ///
  /// - Parameter takeSecrets: called with the key logs in the capture.
  func play(
    onto layers: RelayedLayers, _ listener: any Listener, takeSecrets: (RawSpan) -> Void
  ) {
    // Moved out while layers are called, as their calls may come back to this cell.
    var kept = Kept()
    swap(&kept, &self.kept.value)
    var (byte, event) = (0, 0)
    for index in 0..<kept.calls.count {
      let call = kept.calls[index]
      let bytes = kept.bytes.bytes.extracting(byte..<byte &+ call.byteCount)
      byte &+= call.byteCount
      if call.place != 0 {
        layers.receive(bytes, call.delivery, call.place, listener)
        continue
      }
      switch kept.events[event] {
      case .reported(let reported): reported.report(listener, bytes)
      case .gap(let missing, let delivery, let place):
        layers.gap(missing, delivery, place, listener)
      case .finish(let ending, let delivery, let place):
        layers.finish(ending, delivery, place, listener)
      case .open(let opening, let place): layers.open(opening, place)
      case .doubt(let finding, let place): layers.doubt(finding, place, listener)
      case .secrets: takeSecrets(bytes)
      }
      event += 1
    }
    kept.totals.report(listener)
    empty(&kept)
    swap(&kept, &self.kept.value)
  }

  private func empty(_ kept: inout Kept) {
    let keepsMemory = kept.size <= Self.spareBytes
    kept.calls.removeAll(keepingCapacity: keepsMemory)
    kept.events.removeAll(keepingCapacity: keepsMemory)
    kept.bytes.removeAll()
    kept.bytes.shrink(above: Self.spareBytes)
    kept.eventCost = 0
  }

  // MARK: Calls of layers

  @inline(__always)
  func receive(_ bytes: RawSpan, _ delivery: Delivery, _ place: UInt32) {
    kept.value.bytes.append(bytes)
    kept.value.calls.append(Call(delivery: delivery, byteCount: bytes.byteCount, place: place))
    check(kept.value.size)
  }

  func gap(_ missing: Int?, _ delivery: Delivery, _ place: UInt32) {
    keep(.gap(missing, delivery, place), MemoryLayout<Event>.stride)
  }

  func finish(_ ending: Ending, _ delivery: Delivery, _ place: UInt32) {
    keep(.finish(ending, delivery, place), MemoryLayout<Event>.stride)
  }

  func open(_ opening: Opening, _ place: UInt32) {
    keep(.open(opening, place), MemoryLayout<Opening>.stride)
  }

  func doubt(_ finding: Finding, _ place: UInt32) {
    let cost = MemoryLayout<Finding>.stride + finding.text.utf8.count
    keep(.doubt(finding, place), cost)
  }

  func secrets(_ keyLog: RawSpan) { keep(.secrets, MemoryLayout<Event>.stride, keyLog) }

  private func keep(_ event: Event, _ cost: Int) { keep(event, cost, RawSpan()) }

  private func keep(_ event: Event, _ cost: Int, _ bytes: RawSpan) {
    kept.value.bytes.append(bytes)
    kept.value.calls.append(
      Call(delivery: Delivery(Origin()), byteCount: bytes.byteCount, place: 0))
    kept.value.events.append(event)
    kept.value.eventCost += cost
    check(kept.value.size)
  }

  // MARK: Calls of the listener

  package func keep(_ call: ListenerEvent.Call, _ bytes: RawSpan) {
    let event = ListenerEvent(call)
    keep(.reported(event), event.cost, bytes)
  }

  package func account(_ fate: Fate, _ bytes: Int) { kept.value.totals.account(fate, bytes) }

  package func count(_ thing: Counter, _ amount: Int) {
    kept.value.totals.count(thing, amount)
  }

  package func message(_: Message, _: RawSpan, _: Span<Note>) {
    preconditionFailure("the transport reports no messages")
  }
}
