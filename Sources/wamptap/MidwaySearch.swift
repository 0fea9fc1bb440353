// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Looks for connections whose beginning was not captured, and writes nothing.
struct MidwaySearch: Renderer {
  private let foresight: Foresight
  private let isWhole: Bool

  init(_ foresight: Foresight, isWhole: Bool) {
    (self.foresight, self.isWhole) = (foresight, isWhole)
  }

  /// The second reading is of everything.
  var isDecided: Bool { !isWhole && foresight.isSearched }

  mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    if !isWhole && !opening.isFromStart && opening.provenance.writer.isEmpty {
      foresight.isMidway = true
    }
  }

  mutating func message(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>, subject: RawSpan,
    into text: inout TextBuffer
  ) -> Bool { true }

  mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {}

  mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {}

  mutating func summary(_ summary: Summary, into text: inout TextBuffer) {}
}
