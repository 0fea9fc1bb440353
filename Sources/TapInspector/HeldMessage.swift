// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A message that is told later, with all that was told for it.
struct HeldMessage {
  /// What is told ahead of a message.
  struct Parts {
    var framing: Framing?
    var sent: (octets: [UInt8], trailing: Int, serializer: StaticString)?
    var subject: [UInt8]?
  }

  private let message: Message
  private let bytes: [UInt8]
  private let notes: ContiguousArray<Note>
  private let parts: Parts

  init(
    _ message: Message, _ bytes: [UInt8], _ notes: ContiguousArray<Note>, _ parts: Parts
  ) {
    (self.message, self.bytes, self.notes, self.parts) = (message, bytes, notes, parts)
  }

  /// Roughly what it takes in memory.
  var cost: Int {
    MemoryLayout<Self>.stride + bytes.count + notes.count * MemoryLayout<Note>.stride
      + (parts.sent?.octets.count ?? 0)
  }

  func tell(_ listener: some Listener) {
    if let framing = parts.framing { listener.framed(framing) }
    if let sent = parts.sent {
      listener.sent(sent.octets.span.bytes, trailing: sent.trailing, as: sent.serializer)
    }
    if let subject = parts.subject { listener.subject(subject.span.bytes) }
    listener.message(message, bytes.span.bytes, notes.span)
  }
}
