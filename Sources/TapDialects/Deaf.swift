// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Hears nothing: for judgements that are not to be told.
final class Deaf: Listener {
  func opened(_: Opening, _: Delivery) {}
  func message(_: Message, _: RawSpan, _: Span<Note>) {}
  func finding(_: Finding) {}
  func closed(_: Closing, _: Delivery) {}
  func account(_: Fate, _: Int) {}
  func count(_: Thing, _: Int) {}
}
