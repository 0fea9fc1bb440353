// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// Finds credentials in WAMP messages. Whatever is not known to be harmless is masked: a password
/// shown is worse than a word hidden.
enum WAMPSecrets {
  /// Deeper nesting is hidden as a whole, as each level means one more pass over its content.
  static let nesting = 16

  /// HELLO.Details and WELCOME.Details, and what is nested in them.
  static func note(
    details: ByteRange, depth: Int = 0, _ bytes: RawSpan, _ notes: inout ContiguousArray<Note>
  ) {
    each(details, bytes) { name, value in note(name, value, depth: depth, bytes, &notes) }
  }

  /// The same for a message whose details were parsed already.
  static func note(
    detailsOf array: inout WAMPArray, _ bytes: RawSpan, _ notes: inout ContiguousArray<Note>
  ) {
    let roles = array.roles(bytes)
    var step = WAMPDetails.Step()
    while let member = array.details.next(bytes, &step) {
      if let roles, roles.range == member.value.range, !roles.said.hasSecrets { continue }
      withName(member.key, bytes) { note($0, member.value, depth: 0, bytes, &notes) }
    }
  }

  private static func note(
    _ name: RawSpan, _ value: JSONElement, depth: Int, _ bytes: RawSpan,
    _ notes: inout ContiguousArray<Note>
  ) {
    if name.equals("authextra") && value.kind == .object {
      extra(value.range, bytes, &notes)
    } else if isAny(name, "transport", "authextra", "ticket", "signature")
      || name.starts(with: "resume")
    {
      mask(leavesOf: value, bytes, &notes)
    } else if value.kind == .object && depth < nesting {
      note(details: value.range, depth: depth + 1, bytes, &notes)
    } else if value.kind == .object {
      notes.append(Note(.secret, "number", value.range))
    }
  }

  /// `authextra`: only keys that are known to be public stay readable.
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

  /// CHALLENGE.Extra. The salt and the challenge let an attacker guess the password offline, so
  /// both are masked; the cost parameters stay readable.
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

  /// The payload of `wamp.session.on_join` and the result of `wamp.session.get`: session details,
  /// with the HTTP headers of the handshake.
  static func note(
    sessionDetails payload: ByteRange, _ bytes: RawSpan, _ notes: inout ContiguousArray<Note>
  ) {
    guard payload.count > 2, bytes.byte(at: payload.start) == .openBracket else { return }
    var elements = JSON.Members(ofArray: payload)
    while let member = elements.next(bytes) {
      if member.value.kind == .object,
        JSON.value(of: "session", in: member.value.range, bytes) != nil
      {
        note(details: member.value.range, bytes, &notes)
      }
    }
  }

  /// Masks every string and number inside a value; harmless keys under `transport` stay readable.
  static func mask(
    leavesOf value: JSONElement, depth: Int = 0, _ bytes: RawSpan,
    _ notes: inout ContiguousArray<Note>
  ) {
    switch value.kind {
    case .object where depth == nesting, .array where depth == nesting:
      notes.append(Note(.secret, "number", value.range))
    case .string:
      // A value that a logger left out needs no mask.
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
        if !isHarmless { mask(leavesOf: inner, depth: depth + 1, bytes, &notes) }
      }
    case .array:
      var elements = JSON.Members(ofArray: value.range)
      while let member = elements.next(bytes) {
        mask(leavesOf: member.value, depth: depth + 1, bytes, &notes)
      }
    default: break
    }
  }

  /// Calls `body` with each member of an object. Keys are unescaped first, so that an escaped
  /// spelling hides no credential.
  private static func each(
    _ object: ByteRange, _ bytes: RawSpan, _ body: (RawSpan, JSONElement) -> Void
  ) {
    var members = JSON.Members(of: object)
    while let member = members.next(bytes) {
      withName(member.key, bytes) { body($0, member.value) }
    }
  }

  private static func withName(_ key: ByteRange, _ bytes: RawSpan, _ body: (RawSpan) -> Void) {
    let name = bytes[key]
    if name.firstIndex(of: .backslash) == nil { return body(name) }
    let plain = JSON.unescaped(name)
    body(plain.span.bytes)
  }

  private static func isAny(_ name: RawSpan, _ words: StaticString...) -> Bool {
    for word in words where name.equals(word) { return true }
    return false
  }
}

extension WAMPSecrets {
  /// Whether a text that is not a valid message may contain one that carries credentials (HELLO,
  /// WELCOME, CHALLENGE, AUTHENTICATE): with its type in another form, inside another list, or
  /// after something else.
  static func mayBeHandshake(_ bytes: RawSpan) -> Bool {
    var at = 0
    skipSpace(bytes, &at)
    let isList = at < bytes.byteCount && bytes.byte(at: at) == UInt8(ascii: "[")
    if isList { at += 1 }
    if handshakeType(bytes, at) != nil { return true }
    skipSpace(bytes, &at)
    guard at < bytes.byteCount else { return false }
    let first = bytes.byte(at: at)
    // A list that begins with a JSON value belongs to another protocol, and may contain lists.
    if isList && (first.isDigit || "\"-{tfn".utf8.contains(first)) { return false }
    let isNested = isList && first == UInt8(ascii: "[")
    return firstHandshake(in: bytes, from: at, isCertain: isNested) != nil
  }

  /// Where a list begins that may be a message with credentials.
  ///
  /// - Parameter isCertain: the type alone decides, not what follows it.
  static func firstHandshake(
    in bytes: RawSpan, from start: Int = 0, isCertain: Bool = false
  ) -> Int? {
    var at = start
    while let bracket = bytes.firstIndex(of: UInt8(ascii: "["), from: at) {
      at = bracket + 1
      guard let end = handshakeType(bytes, at) else { continue }
      if isCertain || hasSecondElement(bytes, behind: end) { return bracket }
    }
    return nil
  }

  /// The end of a message type at `start`, as a number or a text: `5`, `05`, `5.0`, `"5"`,
  /// `"AUTHENTICATE"`. Nil when there is none.
  private static func handshakeType(_ bytes: RawSpan, _ start: Int) -> Int? {
    var at = start
    let marks = "\"'\\+0".utf8
    while at < bytes.byteCount, bytes.byte(at: at) <= 0x20 || marks.contains(bytes.byte(at: at)) {
      at += 1
    }
    let words: [StaticString] = ["HELLO", "WELCOME", "CHALLENGE", "AUTHENTICATE"]
    let rest = bytes.dropping(at)
    // `·` stands for a byte that was not captured.
    if rest.starts(with: "·") { return at + 2 }
    if let word = words.first(where: { rest.starts(with: $0) }) {
      return at + word.utf8CodeUnitCount
    }
    guard rest.byteCount > 0, [0x31, 0x32, 0x34, 0x35].contains(rest.byte(at: 0)) else {
      return nil
    }
    return rest.byteCount == 1 || rest.byte(at: 1) &- 0x30 >= 10 ? at + 1 : nil
  }

  /// Whether the type's element ends there, and a text or a session id follows: `,"…`, `,88`.
  private static func hasSecondElement(_ bytes: RawSpan, behind type: Int) -> Bool {
    var at = type
    let closing = ".0\"'\\".utf8
    while at < bytes.byteCount, bytes.byte(at: at) <= 0x20 || closing.contains(bytes.byte(at: at)) {
      at += 1
    }
    guard at < bytes.byteCount, !bytes.dropping(at).starts(with: "·") else { return true }
    guard bytes.byte(at: at) == UInt8(ascii: ",") else { return false }
    at += 1
    skipSpace(bytes, &at)
    guard at < bytes.byteCount else { return true }
    let byte = bytes.byte(at: at)
    return byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      || byte.isDigit && bytes.byte(at: type - 1) == UInt8(ascii: "2")
  }

  private static func skipSpace(_ bytes: RawSpan, _ at: inout Int) {
    while at < bytes.byteCount, bytes.byte(at: at) <= 0x20 { at += 1 }
  }
}

extension WAMPDialect {
  public var credentialNames: [String] {
    Self.sessionDetails + ["ticket", "signature", "resume", "resume-token", "resume-session"]
  }

  /// Keys of the session details in `wamp.session.` calls and events that may hold credentials.
  private static let sessionDetails = ["authextra", "transport"]
  private static let namesOfSessionDetails = CredentialNames(sessionDetails)
  private static let limits = Limits()

  public func mayHoldCredentials(_ bytes: RawSpan, _ delivery: Delivery) -> Bool {
    switch delivery.kind {
    case .partialText, .dottedText:
      return WAMPLayer.mayBeHandshake(bytes, certain: Int(delivery.certainBytes))
    case .text: return Self.mayHoldCredentials(bytes)
    default: return WAMPSerializer.allCases.contains { Self.mayHoldCredentials(bytes, $0) }
    }
  }

  private static func mayHoldCredentials(
    _ bytes: RawSpan, _ serializer: WAMPSerializer
  ) -> Bool {
    if serializer == .json { return mayHoldCredentials(bytes) }
    var decoding = WAMPDecoding(WAMPCarriage(serializer: serializer), limits: limits)
    // In a batch, each message has a length prefix of 4 bytes.
    return [0, 4].contains { start in
      var at = start
      // More messages may follow; data with very many of them is not WAMP.
      for _ in 0..<16 where at < bytes.byteCount {
        guard let end = decoding.transcode(bytes, at..<bytes.byteCount), end > at else {
          return decoding.mayHold(beginning: bytes.dropping(at)) {
            var array = WAMPArray(maximumDepth: limits.nesting)
            array.read($0)
            return isHandshake(array.code)
          }
        }
        if mayHoldCredentials(decoding.text.bytes) { return true }
        at = end
      }
      return false
    }
  }

  private static func isHandshake(_ code: UInt64?) -> Bool {
    code == WAMPCode.hello || code == WAMPCode.welcome || code == WAMPCode.challenge
      || code == WAMPCode.authenticate
  }

  /// Whether a text is a message that carries credentials or session details.
  private static func mayHoldCredentials(_ text: RawSpan) -> Bool {
    var array = WAMPArray(maximumDepth: limits.nesting)
    array.read(text)
    let fault = array.problem?.fault
    // Valid JSON that is not WAMP belongs to another protocol.
    if fault == .notJSON { return WAMPSecrets.mayBeHandshake(text) }
    // Another message may follow.
    if !array.isWhole && WAMPSecrets.mayBeHandshake(text.dropping(array.scanner.offset)) {
      return true
    }
    guard fault == nil || fault == .trailing, let code = array.code else { return false }
    return isHandshake(code)
      || [16, 36, 50, 68, 70].contains(code)
        && CredentialFinder.isAny(in: text, .json, namesOfSessionDetails)
  }

  public var hasSensitiveSubjects: Bool { true }

  public func isSensitive(subject: RawSpan) -> Bool {
    subject.starts(with: "wamp.session.")
  }

  public func noteSecrets(
    in message: Message, _ bytes: RawSpan, into notes: inout ContiguousArray<Note>
  ) {
    // A text that is not JSON is hidden as a whole, as credentials cannot be found in it.
    var scanner = JSONScanner(maximumDepth: Self.limits.nesting)
    // The placeholder for what a log left out.
    if bytes[message.payload].equals("…") { return }
    // Partial messages are searched by the names of credentials instead.
    if message.traits.contains(.isPartial) { return }
    if !message.payload.isEmpty, scanner.scan(bytes[message.payload]) == nil {
      return notes.append(Note(.bulk, "incomplete", message.payload))
    }
    WAMPSecrets.note(sessionDetails: message.payload, bytes, &notes)
    if message.keywords.count > 2, bytes.byte(at: message.keywords.start) == .openBrace {
      WAMPSecrets.note(details: message.keywords, bytes, &notes)
    }
  }
}
