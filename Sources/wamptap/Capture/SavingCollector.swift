// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Gets what a display filter passes on, and notes from which packets that is.
struct SavingCollector: SilentRenderer {
  private let saved: SavedPackets

  init(_ saved: SavedPackets) { self.saved = saved }

  var wishes: Detail.Wishes { [.hidden] }

  mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    // The filter passes a connection on with its first line.
    saved.hear(
      SavedPackets.Event(
        connection: connection, origin: delivery.origin, isSelected: true, isOpening: true,
        isOverHTTP: opening.carrier == .http))
  }

  mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    hear(message, view, isSelected: true)
    return true
  }

  mutating func hidden(_ message: Message, _ view: MessageView) {
    hear(message, view, isSelected: false)
  }

  private func hear(_ message: Message, _ view: MessageView, isSelected: Bool) {
    saved.hear(
      SavedPackets.Event(
        connection: view.joined.connection, origin: message.origin, isSelected: isSelected,
        isOpening: false))
  }
}
