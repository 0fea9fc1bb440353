// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A renderer that writes nothing. A type implements only the calls it is interested in; all
/// messages count as shown.
protocol SilentRenderer: Renderer {}

extension SilentRenderer {
  mutating func opened(
    _: Opening, connection _: UInt32, _: Delivery, into _: inout TextBuffer
  ) {}

  mutating func message(_: Message, _: MessageView, into _: inout TextBuffer) -> Bool { true }

  mutating func finding(
    _: Finding, connection _: UInt32, messages _: [UInt64], into _: inout TextBuffer
  ) {}

  mutating func closed(
    _: Closing, connection _: UInt32, _: Delivery, into _: inout TextBuffer
  ) {}

  mutating func summary(_: Summary, into _: inout TextBuffer) {}
}
