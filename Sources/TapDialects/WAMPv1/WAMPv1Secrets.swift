// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// Finds credentials in WAMP v1. It has no authentication messages, but procedures of the server:
/// one returns a challenge, the other takes the proof (WAMP-CRA).
struct WAMPv1Secrets {
  /// The limit of calls that wait for a challenge; no real client has more.
  private static let mostChallenges = 16

  private var challenges: [UInt64] = []

  /// Adds the credentials of a message whose procedure is known.
  mutating func look(
    _ array: WAMPv1Array, _ bytes: RawSpan, uri: RawSpan, _ message: Message,
    into notes: inout ContiguousArray<Note>
  ) {
    switch array.code {
    case 2:
      if Self.isCalled("authreq", uri) {
        // The key identifies the client; its other arguments are only for the server.
        Self.mask(leavesFrom: 4, bytes, &notes)
        if challenges.count == Self.mostChallenges { challenges.removeFirst() }
        challenges.append(message.first.key)
      } else if Self.isCalled("auth", uri) {
        Self.mask(leavesFrom: 3, bytes, &notes)
      }
    case 3:
      guard let place = challenges.firstIndex(of: message.first.key) else { return }
      challenges.remove(at: place)
      Self.mask(leavesFrom: 2, bytes, &notes)
    default: break
    }
  }

  /// Whether it is that procedure, even if the abbreviation's prefix is not known.
  private static func isCalled(_ procedure: StaticString, _ uri: RawSpan) -> Bool {
    let base: StaticString = "http://api.wamp.ws/procedure#"
    if uri.starts(with: base) { return uri.dropping(base.utf8CodeUnitCount).equals(procedure) }
    guard let colon = uri.firstIndex(of: .colon) else { return false }
    return uri.dropping(colon + 1).equals(procedure)
  }

  /// Masks every string and number of the list from an element on.
  private static func mask(
    leavesFrom first: Int, _ bytes: RawSpan, _ notes: inout ContiguousArray<Note>
  ) {
    var at = bytes.firstIndex(of: .openBracket).map { $0 + 1 } ?? bytes.byteCount
    var index = 0
    while let element = JSON.next(bytes, &at, inObject: false)?.value {
      if index >= first { WAMPSecrets.mask(leavesOf: element, bytes, &notes) }
      index += 1
    }
  }
}

extension WAMPv1Dialect {
  public var hasSensitiveSubjects: Bool { true }

  public func isSensitive(subject: RawSpan) -> Bool {
    subject.starts(with: "http://api.wamp.ws/procedure#auth")
  }

  /// The result of a call that was not captured may be a challenge: a JSON object as text that
  /// contains the client's key.
  public func noteSecrets(
    in message: Message, _ bytes: RawSpan, into notes: inout ContiguousArray<Note>
  ) {
    let range = message.payload
    guard message.name.description == "CALLRESULT", range.count > 2,
      bytes.byte(at: range.start) == .quote
    else { return }
    let content = ByteRange(range.start + 1, range.end - 1)
    let text = JSON.unescaped(bytes[content])
    guard text.first == UInt8(ascii: "{") else { return }
    var quote = text.span.bytes.firstIndex(of: .quote)
    while let at = quote {
      if text.span.bytes.dropping(at).starts(with: "\"authkey\"") {
        return notes.append(Note(.secret, "challenge", content))
      }
      quote = text.span.bytes.firstIndex(of: .quote, from: at + 1)
    }
  }
}
