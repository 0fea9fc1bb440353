// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// Where credentials stand in WAMP messages. Whatever is not known to be harmless is masked: a
/// password shown is worse than a word hidden.
enum WAMPSecrets {
  /// What is nested more deeply is hidden as a whole.
  static let nesting = Limits().nesting

  /// HELLO.Details and WELCOME.Details.
  ///
  /// - Parameter isHello: words that clients made up for what authenticates them count, too.
  static func note(
    details: ByteRange, isHello: Bool = false, _ bytes: RawSpan,
    _ notes: inout ContiguousArray<Note>
  ) {
    each(details, bytes) { name, value in
      if name.equals("authextra") && value.kind == .object {
        extra(value.range, bytes, &notes)
      } else if isAny(name, "transport", "authextra")
        || isHello && isAny(name, "password", "secret", "ticket", "token")
      {
        mask(leavesOf: value, bytes, &notes)
      } else if name.starts(with: "resume") {
        if value.kind == .string {
          notes.append(Note(.secret, "token", value.content))
        } else {
          mask(leavesOf: value, bytes, &notes)
        }
      }
    }
  }

  /// `authextra`: only what is known to be public stays.
  private static func extra(
    _ range: ByteRange, _ bytes: RawSpan, _ notes: inout ContiguousArray<Note>
  ) {
    each(range, bytes) { name, value in
      if isAny(name, "pubkey", "channel_binding", "trustroot") || name.starts(with: "x_cb_") {
        return
      }
      if isAny(name, "nonce", "challenge") && value.kind == .string {
        notes.append(Note(.nonce, "nonce", value.content))
      } else {
        mask(leavesOf: value, bytes, &notes)
      }
    }
  }

  /// CHALLENGE.Extra. With the salt and the challenge a password can be guessed offline, so both
  /// are masked; the cost parameters stay readable.
  static func note(
    challenge range: ByteRange, method: ByteRange, _ bytes: RawSpan,
    _ notes: inout ContiguousArray<Note>
  ) {
    let isPublic =
      JSON.equals(bytes, method, "cryptosign") || JSON.equals(bytes, method, "cryptosign-proxy")
    each(range, bytes) { name, value in
      guard value.kind == .string || value.kind == .object || value.kind == .array else { return }
      if isAny(name, "kdf", "channel_binding", "pubkey", "hash") { return }
      if value.kind == .string && isAny(name, "nonce", "challenge", "signature") {
        notes.append(Note(isPublic ? .shortened : .nonce, "challenge", value.content))
      } else {
        mask(leavesOf: value, bytes, &notes)
      }
    }
  }

  /// AUTHENTICATE.Extra.
  static func note(
    authenticate range: ByteRange, _ bytes: RawSpan, _ notes: inout ContiguousArray<Note>
  ) {
    each(range, bytes) { name, value in
      if isAny(name, "channel_binding") { return }
      if value.kind == .string && isAny(name, "quote", "measurement") {
        notes.append(Note(.shortened, "measurement", value.content))
      } else if value.kind == .string && isAny(name, "nonce") {
        notes.append(Note(.nonce, "nonce", value.content))
      } else {
        mask(leavesOf: value, bytes, &notes)
      }
    }
  }

  /// The payload of `wamp.session.on_join` and the result of `wamp.session.get`: details of a
  /// session, with the headers of its handshake.
  static func note(
    sessionDetails payload: ByteRange, _ bytes: RawSpan, _ notes: inout ContiguousArray<Note>
  ) {
    guard payload.count > 2, bytes.byte(at: payload.start) == 0x5B else { return }
    let inside = bytes.extracting(0..<payload.end)
    var at = payload.start + 1
    while let member = JSON.next(inside, &at, inObject: false) {
      if member.value.kind == .object,
        JSON.value(of: "session", in: member.value.range, bytes) != nil
      {
        note(details: member.value.range, bytes, &notes)
      }
    }
  }

  /// Every string and number inside a value; under `transport`, harmless keys stay.
  static func mask(
    leavesOf value: JSONElement, _ bytes: RawSpan, _ notes: inout ContiguousArray<Note>
  ) {
    switch value.kind {
    case .string:
      // What a logger has left out is none.
      if !value.isEmptyContent && !bytes[value.content].equals("…") {
        notes.append(Note(.secret, "secret", value.content))
      }
    case .natural, .number: notes.append(Note(.secret, "number", value.range))
    case .object:
      each(value.range, bytes) { name, inner in
        let isHarmless =
          isAny(
            name, "channel_type", "channel_framing", "channel_serializer", "peer", "own", "type",
            "protocol", "websocket_protocol", "websocket_extensions_in_use", "own_pid", "own_tid",
            "own_fd")
        if !isHarmless { mask(leavesOf: inner, bytes, &notes) }
      }
    case .array:
      let inside = bytes.extracting(0..<value.range.end)
      var at = value.range.start + 1
      while let member = JSON.next(inside, &at, inObject: false) {
        mask(leavesOf: member.value, bytes, &notes)
      }
    default: break
    }
  }

  /// The members of an object, their keys without escapes: a credential is one however it is
  /// spelled.
  private static func each(
    _ object: ByteRange, _ bytes: RawSpan, _ body: (RawSpan, JSONElement) -> Void
  ) {
    let inside = bytes.extracting(0..<object.end)
    var at = object.start + 1
    while let member = JSON.next(inside, &at, inObject: true) {
      let key = bytes[member.key]
      if key.firstIndex(of: 0x5C) == nil {
        body(key, member.value)
      } else {
        let plain = JSON.unescaped(key)
        body(plain.span.bytes, member.value)
      }
    }
  }

  private static func isAny(_ name: RawSpan, _ words: StaticString...) -> Bool {
    for word in words where name.equals(word) { return true }
    return false
  }
}

extension WAMPLayer {
  public static func isSensitive(subject: RawSpan) -> Bool {
    subject.starts(with: "wamp.session.")
  }

  public static func noteSecrets(
    in message: Message, _ bytes: RawSpan, into notes: inout ContiguousArray<Note>
  ) {
    // What is no JSON hides them as a whole: nobody can tell where they are.
    var scanner = JSONScanner(maximumDepth: WAMPSecrets.nesting)
    // What stands for that which a log has left out.
    if bytes[message.payload].equals("…") { return }
    if message.traits.contains(.isPartial) {
      if WAMPPartialSecrets.mayHold(payloadOf: message, bytes) {
        notes.append(Note(.bulk, "incomplete", message.payload))
      }
      return
    }
    if !message.payload.isEmpty, scanner.scan(bytes[message.payload]) == nil {
      return notes.append(Note(.bulk, "incomplete", message.payload))
    }
    WAMPSecrets.note(sessionDetails: message.payload, bytes, &notes)
    if message.keywords.count > 2, bytes.byte(at: message.keywords.start) == 0x7B {
      WAMPSecrets.note(details: message.keywords, bytes, &notes)
    }
  }
}
