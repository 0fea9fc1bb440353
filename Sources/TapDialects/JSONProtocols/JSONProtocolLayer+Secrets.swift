// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The credentials of a message.
extension JSONProtocolLayer {
  mutating func noteSecrets(_ bytes: RawSpan, _ message: Message) {
    noteSecrets(plan.secrets, bytes)
    if let mostMasked {
      let object = JSONRPCMessage(scanner.members, bytes)
      JSONSecrets.append(to: &notes, object, bytes, most: mostMasked)
    } else {
      CallSecrets.append(to: &notes, bytes[message.subject], message.payload, bytes)
    }
    if plan.table.secretsAbout.subjects.contains(where: { bytes[message.subject].starts(with: $0) })
    {
      noteSecrets(plan.secretsAbout, bytes)
    }
    plan.table.noteSecrets?(reader.whole, bytes, &notes)
    for index in plan.urls.indices {
      guard let place = reader.value(plan.urls[index], bytes) else { continue }
      if place.kind == .string { noteSecrets(ofURL: place, bytes) }
      guard place.kind == .array else { continue }
      var elements = JSON.Members(ofArray: place.range)
      while let element = elements.next(bytes)?.value {
        if element.kind == .string { noteSecrets(ofURL: element, bytes) }
      }
    }
    for index in plan.namedSecrets.indices {
      guard let place = reader.value(plan.namedSecrets[index], bytes) else { continue }
      note(plan.table.namedSecrets[index], in: place, bytes)
    }
  }

  private mutating func noteSecrets(_ targets: JSONProtocolPlan.Targets, _ bytes: RawSpan) {
    for index in targets.indices {
      guard let secret = reader.value(targets[index], bytes) else { continue }
      if secret.kind == .string { note(secret: secret) }
    }
  }

  private mutating func noteSecrets(ofURL url: JSONElement, _ bytes: RawSpan) {
    let content = bytes[url.content]
    // PHP escapes slashes, so that neither its authority nor its path shows; what was masked as a
    // whole before stays so.
    if content.firstIndex(of: .backslash) != nil || content.starts(with: "<secret-") {
      return note(secret: url)
    }
    for range in URLCredentials.ranges(in: content.copied()) {
      let start = url.content.start
      notes.append(
        Note(.secret, "secret", ByteRange(start + range.lowerBound, start + range.upperBound)))
    }
  }

  /// - Parameter place: the object, or a list of such objects.
  private mutating func note(
    _ secret: JSONNamedSecret, in place: JSONElement, _ bytes: RawSpan
  ) {
    if place.kind == .array {
      var elements = JSON.Members(ofArray: place.range)
      while let element = elements.next(bytes)?.value {
        if element.kind == .object { note(secret, in: element, bytes) }
      }
    } else if let name = secret.name.value(in: place, bytes), name.kind == .string,
      secret.names.contains(where: { bytes[name.content].equals(lowered: $0) }),
      let value = secret.value.value(in: place, bytes)
    {
      guard value.kind == .array, let inEach = secret.inEach else { return note(secret: value) }
      var elements = JSON.Members(ofArray: value.range)
      while let element = elements.next(bytes)?.value {
        if let value = inEach.value(in: element, bytes) { note(secret: value) }
      }
    }
  }

  private mutating func note(secret value: JSONElement) {
    switch value.kind {
    case .string where !value.isEmptyContent:
      notes.append(Note(.secret, "secret", value.content))
    case .natural, .number: notes.append(Note(.secret, "number", value.range))
    default: break
    }
  }
}
