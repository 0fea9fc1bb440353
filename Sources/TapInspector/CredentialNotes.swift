// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapEncodings
import TapTraffic

/// The names of credentials by how well a message is known.
struct CredentialSearch {
  /// In what can be read.
  let known: CredentialNames
  /// In what nobody can read: those of the dialects, too, which cannot point at their own there.
  let opaque: CredentialNames
  /// Where pieces are not known.
  let hidden: HiddenCredentials
  private let nesting = Limits.standard.nesting

  init(_ names: CredentialNames) {
    let ofDialects = Dialects.all.flatMap { $0.credentialNames }
    known = names
    var all = names
    all.insert(contentsOf: ofDialects)
    opaque = all
    hidden = HiddenCredentials(names, ofDialects)
  }

  /// Those that count in a message; one that no dialect reads may be JSON of somebody else's.
  func names(for message: Message, _ bytes: RawSpan) -> CredentialNames {
    if message.traits.contains(.isJSON) || message.traits.contains(.isPartial) { return known }
    var scanner = JSONScanner(maximumDepth: nesting)
    return scanner.scan(bytes) == bytes.byteCount ? known : opaque
  }
}

/// Notes the values that stand beside names of credentials in a message, whatever dialect it is of.
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
    let before = notes.count
    var end = bytes.byteCount
    let isPartial = message.traits.contains(.isPartial)
    let hidesText = message.traits.contains(.hidesText)
    if hidesText, let place = names.hidden.firstValue(in: bytes, isParsed: !isPartial) {
      end = place
    }
    let known = bytes.extracting(0..<end)
    var finder = CredentialFinder(form(message), names.names(for: message, bytes))
    while let found = finder.next(in: known) {
      // Behind a value whose end is not known there may be more of it.
      if (isPartial || hidesText) && (found.value.end == end || isUnknown(known[found.value])) {
        end = found.value.start
        break
      }
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

extension InspectorState {
  /// Whether a message has nothing to hide that stands beside the name of a credential.
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
    if !names.opaque.mayStand(in: bytes) { return true }
    let form = CredentialNotes.form(message)
    return !CredentialFinder.isAny(in: bytes, form, names.names(for: message, bytes))
  }
}
