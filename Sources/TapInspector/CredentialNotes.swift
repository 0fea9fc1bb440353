// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Notes the values beside names of credentials in a message of any dialect.
enum CredentialNotes {
  static func form(_ message: Message) -> CredentialFinder.Form {
    message.traits.contains(.isJSON) ? .json : .text
  }

  static func append(
    to notes: inout ContiguousArray<Note>, _ message: Message, _ bytes: RawSpan,
    _ names: CredentialSearch, _ limits: Limits
  ) {
    if !message.traits.contains(.isText) && BinaryCredentials.isAny(in: bytes, names.opaque) {
      return notes.append(Note(.bulk, "withheld", ByteRange(0, bytes.byteCount)))
    }
    if !message.traits.contains(.isJSON), let found = SASLElement.credential(in: bytes) {
      return notes.append(Note(.secret, "credential", found))
    }
    let before = notes.count
    var end = bytes.byteCount
    let isPartial = message.traits.contains(.isPartial)
    let hidesText = message.traits.contains(.hidesText)
    if hidesText, let place = names.hidden.firstValue(in: bytes, isParsed: !isPartial) {
      end = place
    }
    let known = bytes.extracting(0..<end)
    var references: Set<Int>?
    var finder = CredentialFinder(form(message), names.names(for: message, bytes))
    while let found = finder.next(in: known) {
      // If the end of a value is not known, what follows may be part of it.
      if (isPartial || hidesText) && (found.value.end == end || isUnknown(known[found.value])) {
        end = found.value.start
        break
      }
      if references == nil {
        references = Set(notes.lazy.filter { $0.kind == .reference }.map(\.range.start))
      }
      if references!.contains(found.value.start) { continue }
      if notes.count - before == limits.maskedValues {
        return notes.append(Note(.bulk, "credentials", ByteRange(0, bytes.byteCount)))
      }
      notes.append(Note(.secret, found.needsQuotes ? "value" : "credential", found.value))
    }
    if end < bytes.byteCount {
      notes.append(Note(.bulk, "withheld", ByteRange(end, bytes.byteCount)))
    }
  }

  private static func isUnknown(_ value: RawSpan) -> Bool {
    var at = 0
    while let place = value.firstIndex(of: 0xC2, from: at) {
      if value.dropping(place).starts(with: "·") { return true }
      at = place + 1
    }
    return false
  }
}
