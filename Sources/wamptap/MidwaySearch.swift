// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Looks for connections whose beginning was not captured, and writes nothing.
struct MidwaySearch: Renderer {
  private let foresight: Foresight

  init(_ foresight: Foresight) { self.foresight = foresight }

  mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    if !opening.isFromStart && opening.provenance.writer.isEmpty { foresight.isMidway = true }
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
