// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The messages that open and close a session (wamp-proto, "Sessions" and "Authentication").
enum WAMPSessionLinks {
  static func declare(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ session: inout WAMPLayer.Session,
    _ message: inout Message, _ notes: inout ContiguousArray<Note>
  ) {
    switch array.code! {
    case WAMPCode.hello: hello(&array, bytes, &session, &message, &notes)
    case WAMPCode.welcome: welcome(&array, bytes, &session, &message, &notes)
    case WAMPCode.abort: abort(&array, &session, &message)
    case WAMPCode.challenge: challenge(&array, bytes, &session, &message, &notes)
    case WAMPCode.authenticate: authenticate(&array, bytes, &session, &message, &notes)
    case WAMPCode.goodbye: goodbye(&array, &session, &message)
    default: break
    }
  }

  private static func handshake(_ role: Link.Role) -> Link {
    Link(role, "", 0, space: WAMPSpace.handshake)
  }

  private static func challenge(_ role: Link.Role) -> Link {
    Link(role, "", 0, space: WAMPSpace.challenge)
  }

  private static func hello(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ session: inout WAMPLayer.Session,
    _ message: inout Message, _ notes: inout ContiguousArray<Note>
  ) {
    // A HELLO begins a new session on the same connection; its request ids start again.
    let number = session.hasBegun ? session.number &+ 1 : session.number
    session = WAMPLayer.Session(number: number, hasBegun: true)
    message.first = handshake(.opens)
    message.realm = array.string(1)
    if !message.realm.isEmpty { notes.append(Note(.fact, "realm", message.realm)) }
    if array.dictionary(2) == nil { return hide(&array, bytes, from: 1, &notes) }
    hide(&array, bytes, from: 3, &notes)
    roles(&array, bytes, &notes)
    fact("authid", &array, bytes, &notes)
    if let methods = array.details.value(of: "authmethods", bytes), methods.kind == .array {
      var at = methods.range.start + 1
      while let member = JSON.next(bytes, &at, inObject: false) {
        if member.value.kind == .string {
          notes.append(Note(.fact, "authmethods", member.value.content))
        }
      }
    }
    WAMPSecrets.note(detailsOf: &array, bytes, &notes)
  }

  private static func welcome(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ session: inout WAMPLayer.Session,
    _ message: inout Message, _ notes: inout ContiguousArray<Note>
  ) {
    session.hasBegun = true
    session.isOpen = true
    message.first = handshake(.answers)
    if let key = array.number(1, bytes) {
      message.second = Link(.shows, "session", key, space: 0, scope: .router)
    }
    if array.dictionary(2) == nil { return hide(&array, bytes, from: 1, &notes) }
    hide(&array, bytes, from: 3, &notes)
    if let realm = array.details.value(of: "realm", bytes), realm.kind == .string {
      message.realm = realm.content
    }
    roles(&array, bytes, &notes)
    fact("authid", &array, bytes, &notes)
    fact("authrole", &array, bytes, &notes)
    WAMPSecrets.note(detailsOf: &array, bytes, &notes)
  }

  private static func abort(
    _ array: inout WAMPArray, _ session: inout WAMPLayer.Session, _ message: inout Message
  ) {
    message.first = handshake(session.isOpen ? .none : .answers)
    session.isOpen = false
    message.traits.insert(.isFailure)
    message.reason = array.string(2)
    if let details = array.dictionary(1) { message.payload = details }
    if array.count > 3 {
      message.payload = array.range(3)
      message.keywords = array.range(4)
    }
  }

  private static func challenge(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ session: inout WAMPLayer.Session,
    _ message: inout Message, _ notes: inout ContiguousArray<Note>
  ) {
    session.hasBegun = true
    message.first = handshake(.answers)
    message.second = challenge(.restarts)
    let method = array.string(1)
    notes.append(Note(.fact, "method", method))
    session.signsWithKeys =
      JSON.equals(bytes, method, "cryptosign") || JSON.equals(bytes, method, "cryptosign-proxy")
    if let extra = array.dictionary(2) {
      message.payload = extra
      WAMPSecrets.note(challenge: extra, method: method, bytes, &notes)
      hide(&array, bytes, from: 3, &notes)
    } else {
      hide(&array, bytes, from: 1, &notes)
    }
  }

  private static func authenticate(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ session: inout WAMPLayer.Session,
    _ message: inout Message, _ notes: inout ContiguousArray<Note>
  ) {
    message.first = challenge(.answers)
    message.second = handshake(.restarts)
    message.payload = array.range(1)
    let signature = array.string(1)
    if !signature.isEmpty {
      notes.append(Note(session.signsWithKeys ? .shortened : .secret, "signature", signature))
    } else if array.count > 1 {
      WAMPSecrets.mask(leavesOf: array[1], bytes, &notes)
    }
    if let extra = array.dictionary(2) {
      message.keywords = extra
      WAMPSecrets.note(authenticate: extra, bytes, &notes)
    } else if array.count > 2 {
      WAMPSecrets.mask(leavesOf: array[2], bytes, &notes)
    }
    hide(&array, bytes, from: 3, &notes)
    // The next CHALLENGE may ask for something other than a signature.
    session.signsWithKeys = false
  }

  /// Hides elements that are superfluous or of the wrong kind, as their meaning is unknown. A
  /// complete string or number in its proper position stays readable.
  private static func hide(
    _ array: inout WAMPArray, _ bytes: RawSpan, from first: Int,
    _ notes: inout ContiguousArray<Note>
  ) {
    if array.count <= first { return }
    for index in first..<min(array.count, JSONElements.kept) {
      let isInPlace =
        index == 1
        && (array.code == WAMPCode.welcome
          ? array[index].kind == .natural : array[index].kind == .string)
      if !isInPlace { WAMPSecrets.mask(leavesOf: array[index], bytes, &notes) }
    }
    if array.count <= JSONElements.kept { return }
    var at = array[JSONElements.kept - 1].range.end
    while let member = JSON.next(bytes, &at, inObject: false) {
      WAMPSecrets.mask(leavesOf: member.value, bytes, &notes)
    }
  }

  private static func goodbye(
    _ array: inout WAMPArray, _ session: inout WAMPLayer.Session, _ message: inout Message
  ) {
    // The second GOODBYE is the reply, whatever its reason says. A gap can hold back the first one
    // until the reply was reported: then neither is linked to the other.
    let origin = message.origin
    let isOther =
      session.isClosing
      && (origin.direction == .unknown || origin.direction != session.goodbye.direction)
    let isReply = isOther && !origin.isBefore(session.goodbye)
    let role: Link.Role = isReply ? .answers : isOther ? .none : .restarts
    message.first = Link(role, "", 0, space: WAMPSpace.goodbye)
    if isOther { session.isOpen = false }
    session.hasBegun = true
    if !session.isClosing { session.goodbye = origin }
    session.isClosing = true
    message.reason = array.string(2)
    if let details = array.dictionary(1) { message.payload = details }
  }

  private static func roles(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ notes: inout ContiguousArray<Note>
  ) {
    guard let roles = array.roles(bytes) else { return }
    let start = roles.range.start
    for name in roles.said.names {
      notes.append(Note(.fact, "roles", ByteRange(start + name.start, start + name.end)))
    }
  }

  private static func fact(
    _ key: StaticString, _ array: inout WAMPArray, _ bytes: RawSpan,
    _ notes: inout ContiguousArray<Note>
  ) {
    if let value = array.details.value(of: key, bytes), value.kind == .string {
      notes.append(Note(.fact, Symbol(key), value.content))
    }
  }
}
