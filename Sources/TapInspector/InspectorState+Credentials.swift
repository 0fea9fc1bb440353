// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapEncodings
import TapNames
import TapTraffic

extension InspectorState {
  /// Whether a message has no credential beside a credential's name.
  @inline(__always)
  func isHarmless(_ message: Message, _ bytes: RawSpan) -> Bool {
    let traits = message.traits.intersection([.isText, .isJSON, .hidesText])
    if traits != [.isText, .isJSON] { return isFoundHarmless(message, bytes) }
    guard let first = names.known.firstSeparator(in: bytes) else { return true }
    return !CredentialFinder.isAny(in: bytes, .json, names.known, from: first)
  }

  @inline(never)
  private func isFoundHarmless(_ message: Message, _ bytes: RawSpan) -> Bool {
    if message.traits.contains(.hidesText) { return false }
    if !message.traits.contains(.isText) && BinaryCredentials.isAny(in: bytes, names.opaque) {
      return false
    }
    if SASLElement.credential(in: bytes) != nil { return false }
    if !names.opaque.mayStand(in: bytes) { return true }
    let form = CredentialNotes.form(message)
    return !CredentialFinder.isAny(in: bytes, form, names.names(for: message, bytes))
  }

  mutating func maskAndRender(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>, isSensitive: Bool
  ) {
    let choice = hasNames ? choice(message, joined, bytes) : nil
    if showsSecrets {
      name(message, bytes, choice)
      return render(message, joined, bytes, notes)
    }
    var all = ContiguousArray<Note>()
    for index in notes.indices { all.append(notes[index]) }
    if isSensitive {
      Dialects.named(message.dialect)?.noteSecrets(in: message, bytes, into: &all)
    }
    CredentialNotes.append(to: &all, message, bytes, names, limits)
    for range in URLCredentials.ranges(inText: bytes[message.subject].copied()) {
      let start = message.subject.start
      let place = ByteRange(start + range.lowerBound, start + range.upperBound)
      all.append(Note(.secret, "url", place))
    }
    if let choice {
      finder.removeShown(in: message, bytes, choice, from: &all)
      finder.noteSecrets(in: message, bytes, choice, into: &all)
    }
    guard Masker.needsMasking(all.span) else {
      name(message, bytes, choice)
      return render(message, joined, bytes, all.span)
    }
    let masked = masker.mask(message, bytes, all.span)
    name(masked.message, masked.bytes.bytes, choice)
    render(masked.message, joined, masked.bytes.bytes, masked.notes.span, isMasked: true)
  }

  /// The rules of the names file that apply to a message; nil without a payload that a dialect has
  /// read.
  private mutating func choice(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan
  ) -> NameFinder.Choice? {
    if message.payload.isEmpty && message.keywords.isEmpty { return nil }
    if Dialects.named(message.dialect) == nil { return nil }
    if joined.subject != 0 { return Self.choice(&finder, &subjects, joined.subject) }
    if message.subject.isEmpty { return finder.choiceForUnknown }
    return finder.choice(for: bytes[message.subject], number: 0)
  }

  private static func choice(
    _ finder: inout NameFinder, _ subjects: inout SubjectTable, _ number: Int32
  ) -> NameFinder.Choice {
    finder.choice(for: subjects.names[number], number: number)
  }

  /// Tells the renderer the names of values in the next message.
  private mutating func name(_ message: Message, _ bytes: RawSpan, _ choice: NameFinder.Choice?) {
    guard let choice else { return }
    let namings = finder.namings(in: message, bytes, choice)
    if !namings.isEmpty { renderer.named(namings) }
  }
}
