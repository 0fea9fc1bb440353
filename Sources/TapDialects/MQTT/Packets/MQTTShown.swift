// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The parts of a packet that a line shows: ranges of its JSON.
struct MQTTShown {
  private(set) var notes = ContiguousArray<Note>()
  /// The topic, or the only filter.
  var subject = ByteRange()
  /// The first code that says that something failed.
  private(set) var failure = ByteRange()
  /// The payload, as a line shows it.
  var payload = ByteRange()
  var traits: Message.Traits = []

  mutating func removeAll() {
    if !notes.isEmpty { notes.removeAll(keepingCapacity: true) }
    (subject, failure, payload, traits) = (ByteRange(), ByteRange(), ByteRange(), [])
  }

  /// - Parameter code: says that something failed.
  mutating func fail(_ code: ByteRange) {
    traits.insert(.isFailure)
    if failure.isEmpty { failure = code }
  }

  mutating func note(_ word: StaticString, _ range: ByteRange, _ kind: Note.Kind = .fact) {
    if !range.isEmpty { notes.append(Note(kind, Symbol(word), range)) }
  }

  /// Adds a note that the line shows first.
  mutating func noteFirst(_ word: StaticString, _ range: ByteRange) {
    if !range.isEmpty { notes.insert(Note(.fact, Symbol(word), range), at: 0) }
  }
}
