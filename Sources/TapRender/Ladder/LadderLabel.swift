// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// What a message says beside its arrow, piece by piece, in fewer words than a line has.
enum LadderLabel {
  /// Bytes of one value that are looked at; no label is wide enough for more.
  private static let most = 1024

  static func append(beginningOf bytes: RawSpan, to text: inout TextBuffer) {
    text.append(escaping: bytes.extracting(0..<min(bytes.byteCount, most)))
  }

  /// `CALL 7`, `ERROR CALL 9`; brief, without what the exchange says anyway.
  static func append(headOf message: Message, isBrief: Bool, to text: inout TextBuffer) {
    text.append(symbol: message.name)
    let isCoded = message.traits.contains(.bodyInNotes)
    if message.about.utf8CodeUnitCount > 0 && !isBrief && !isCoded {
      text.append(" ")
      text.append(message.about)
    }
    if message.first.isShown && message.first.isRequest {
      text.append(" ")
      text.append(decimal: message.first.key)
    }
  }

  /// `subscription 5862354`: ids that are no numbers of exchanges. Those that stand for a subject
  /// are of use only where it is not known.
  static func append(
    idsOf message: Message, knowsSubject: Bool, to text: inout TextBuffer
  ) {
    for index in 0..<3 {
      let link = message.link(index)
      guard link.isShown, !(index == 0 && link.isRequest), link.role != .shares else { continue }
      if link.role == .refers && knowsSubject { continue }
      append(link, &text)
    }
    if message.traits.contains(.bodyInNotes), message.about.utf8CodeUnitCount > 0 {
      text.append(" ")
      text.append(message.about)
    }
  }

  static func append(sharedIDsOf message: Message, to text: inout TextBuffer) {
    for index in 0..<3 where message.link(index).role == .shares && message.link(index).isShown {
      append(message.link(index), &text)
    }
  }

  private static func append(_ link: Link, _ text: inout TextBuffer) {
    if !text.isEmpty { text.append(" · ") }
    text.append(link.word)
    text.append(" ")
    text.append(decimal: link.key)
  }

  /// `realm chat · roles caller, publisher`.
  static func append(facts notes: Span<Note>, _ bytes: RawSpan, to text: inout TextBuffer) {
    var last: Symbol = ""
    for index in notes.indices where [.fact, .id].contains(notes[index].kind) {
      if text.count > most { return }
      let note = notes[index]
      if last.utf8CodeUnitCount > 0 && last.utf8Start == note.word.utf8Start {
        text.append(", ")
      } else {
        if !text.isEmpty { text.append(" · ") }
        text.append(symbol: note.word)
        text.append(" ")
      }
      append(beginningOf: bytes[note.range], to: &text)
      last = note.word
    }
  }

  /// The payload as it is shown: all of it, so that payloads can be compared.
  static func append(payloadOf message: Message, _ bytes: RawSpan, to text: inout TextBuffer) {
    for range in [message.payload, message.keywords] where !range.isEmpty {
      if !text.isEmpty { text.append(" ") }
      let part = bytes[range]
      let isSequence = message.traits.contains(.isSequence) && range == message.payload
      if isSequence { text.append("[") }
      defer { if isSequence { text.append("]") } }
      if message.traits.isRewritten {
        PayloadText.append(rewritten: part, message.traits, to: &text)
      } else if message.traits.contains(.isJSON) {
        BinaryValue.appendAll(in: part, of: message.dialect, to: &text) {
          CompactJSON.append($0, to: &$1)
        }
      } else if message.traits.contains(.isText) {
        text.append(escaping: part)
      } else {
        text.append(grouped: UInt64(part.byteCount))
        text.append(part.byteCount == 1 ? " byte" : " bytes")
      }
    }
  }
}
