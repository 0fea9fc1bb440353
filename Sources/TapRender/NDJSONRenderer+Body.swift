// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The message itself: `body`, and `raw` where that cannot be all of it.
extension NDJSONRenderer {
  func append(body message: Message, _ bytes: RawSpan, _ text: inout TextBuffer) {
    text.append(#","body":"#)
    if message.traits.contains(.bodyInNotes) {
      text.append("{")
      text.member("code", message.first.role == .none ? nil : message.first.key)
      text.member("reason", bytes[message.reason])
      text.append("}")
    } else if message.traits.contains([.isJSON, .isCompact, .isPlain]) {
      text.append(bytes)
    } else if message.traits.contains(.isJSON) {
      if SharedJSON.append(bytes, nesting: nesting, to: &text) { return }
      text.append(#","raw":"#)
      append(raw: bytes, isText: UTF8.firstInvalid(in: bytes) == nil, &text)
    } else if !message.traits.isDisjoint(with: [.isUnclaimed, .isControl])
      && !message.traits.contains(.isPartial)
      && (message.traits.contains(.isText) || message.name.description != "TEXT")
    {
      append(raw: bytes, isText: message.traits.contains(.isText), &text)
    } else {
      text.append(#"null,"raw":"#)
      append(raw: bytes, isText: UTF8.firstInvalid(in: bytes) == nil, &text)
    }
  }

  private func append(raw bytes: RawSpan, isText: Bool, _ text: inout TextBuffer) {
    if isText { return text.append(jsonString: bytes) }
    Base64.appendObject(bytes, to: &text)
  }

  /// The reason of a failure, as `error`.
  func append(error message: Message, _ view: MessageView, _ text: inout TextBuffer) {
    if message.reason.isEmpty || message.traits.contains(.bodyInNotes) { return }
    let reason = view.bytes[message.reason]
    text.append(#","error":"#)
    if message.traits.contains(.isJSON) && reason.firstIndex(of: .backslash) != nil {
      text.append(jsonString: JSON.unescaped(reason).span.bytes)
    } else {
      text.append(jsonString: reason)
    }
  }

  /// Which keys are inferred, and not read from the message.
  func append(inferred message: Message, _ view: MessageView, _ text: inout TextBuffer) {
    let joined = view.joined
    let isNamed = message.traits.contains(.isInferred)
    let carries = !isNamed && joined.carries > 0 && message.third.role == .delivers
    let hasDirection = message.traits.contains(.isDirectionInferred)
    let hasName = isNamed && !view.subject.isEmpty || joined.isSubjectInferred
    guard isNamed || carries || hasDirection || hasName else { return }
    let hasIDs = isNamed && view.notes.indices.contains { view.notes[$0].kind == .id }
    let keys: [(Bool, StaticString)] = [
      (hasDirection, "direction"), (isNamed, "name"), (hasIDs, "ids"), (hasName, "subject"),
      (carries, "carries"),
    ]
    text.list("inferred", of: keys.filter(\.0)) { $1.append(jsonString: $0.1.description) }
  }
}
