// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The links, subject and payload of each message type (wamp-proto, "Messages").
enum WAMPLinks {
  /// The array is `inout` only so that it is not copied for every message.
  static func declare(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ session: inout WAMPLayer.Session,
    _ message: inout Message, _ notes: inout ContiguousArray<Note>
  ) {
    switch array.code! {
    case WAMPCode.call: request(&array, bytes, &message)
    case WAMPCode.publish:
      request(&array, bytes, &message)
      if !isAcknowledged(&array, bytes) { message.traits.insert(.asksNothing) }
    case WAMPCode.subscribe, WAMPCode.register:
      request(&array, bytes, &message)
      pattern(&array, bytes, &message, &notes)
    case WAMPCode.published, WAMPCode.subscribed, WAMPCode.registered:
      granted(&array, bytes, &message)
    case WAMPCode.unsubscribe, WAMPCode.unregister: withdrawal(&array, bytes, &message)
    case WAMPCode.unsubscribed, WAMPCode.unregistered: withdrawn(&array, bytes, &message)
    case WAMPCode.event: event(&array, bytes, &message)
    case WAMPCode.result: answer(&array, bytes, space: WAMPSpace.call, &message)
    case WAMPCode.yield: answer(&array, bytes, space: WAMPSpace.invocation, &message)
    case WAMPCode.invocation: invocation(&array, bytes, &message)
    case WAMPCode.cancel: mention(&array, bytes, space: WAMPSpace.call, &message, &notes)
    case WAMPCode.interrupt: mention(&array, bytes, space: WAMPSpace.invocation, &message, &notes)
    case WAMPCode.error: refusal(&array, bytes, &message, &notes)
    case WAMPCode.eventReceived:
      if let key = array.number(1, bytes) {
        message.first = Link(
          .shares, "publication", key, space: WAMPSpace.publication, scope: .router)
      }
    default: return WAMPSessionLinks.declare(&array, bytes, &session, &message, &notes)
    }
    let start = message.payload.start
    if message.payload.count > 8
      && (bytes.byte(at: start) == .quote || bytes.byte(at: start + 2) == .backslash)
    {
      opaque(&array, bytes, &notes)
    }
  }

  /// A payload that is opaque to the router. The options say which side can read it.
  @inline(never)
  private static func opaque(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ notes: inout ContiguousArray<Note>
  ) {
    let code = array.code!
    guard
      let options = array.dictionary(
        code == WAMPCode.error || code == WAMPCode.event || code == WAMPCode.invocation ? 3 : 2)
    else {
      return
    }
    for option in WAMPOption.payload where option.codes.count == WAMPOption.carriers.count {
      if let value = JSON.value(of: option.key, in: options, bytes), value.kind == .string {
        notes.append(Note(.fact, Symbol(option.key), value.content))
      }
    }
  }

  @inline(__always)
  private static func payload(_ array: inout WAMPArray, from index: Int, _ message: inout Message) {
    message.payload = array.range(index)
    message.keywords = array.range(index + 1)
  }

  /// PUBLISH, SUBSCRIBE, CALL, REGISTER: [code, request, options, URI, …]
  @inline(__always)
  private static func request(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message
  ) {
    if let key = array.number(1, bytes) {
      message.first = Link(
        .opens, "request", key, space: UInt8(truncatingIfNeeded: array.code!))
    }
    message.subject = array.string(3)
    payload(&array, from: 4, &message)
  }

  /// Whether a PUBLISH asks for an acknowledgement.
  private static func isAcknowledged(_ array: inout WAMPArray, _ bytes: RawSpan) -> Bool {
    guard let options = array.dictionary(2) else { return false }
    // Fast path for what most publishers write.
    if bytes[options].equals(#"{"acknowledge":true}"#) { return true }
    return JSON.value(of: "acknowledge", in: options, bytes)?.kind == .yes
  }

  /// SUBSCRIBE and REGISTER may give a pattern instead of a URI.
  private static func pattern(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ notes: inout ContiguousArray<Note>
  ) {
    guard let options = array.dictionary(2) else { return }
    for key in ["match", "invoke"] as [StaticString] {
      guard let value = JSON.value(of: key, in: options, bytes), value.kind == .string else {
        continue
      }
      if key.utf8CodeUnitCount == 5, !JSON.equals(bytes, value.content, "exact") {
        message.traits.insert(.isPattern)
      }
      notes.append(Note(.fact, Symbol(key), value.content))
    }
  }

  /// PUBLISHED, SUBSCRIBED, REGISTERED: [code, request, id]
  @inline(__always)
  private static func granted(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message
  ) {
    let code = array.code!
    if let key = array.number(1, bytes) {
      message.first = Link(
        .answers, "request", key, space: UInt8(truncatingIfNeeded: code &- 1))
    }
    guard let key = array.number(2, bytes) else { return }
    switch code {
    case WAMPCode.published:
      message.second = Link(
        .shares, "publication", key, space: WAMPSpace.publication, scope: .router)
    case WAMPCode.subscribed:
      message.second = Link(
        .names, "subscription", key, space: WAMPSpace.subscription, scope: .router)
    default:
      message.second = Link(
        .names, "registration", key, space: WAMPSpace.registration, scope: .router)
    }
  }

  private static func registered(_ code: UInt64, _ role: Link.Role, _ key: UInt64) -> Link {
    code < WAMPCode.register
      ? Link(role, "subscription", key, space: WAMPSpace.subscription, scope: .router)
      : Link(role, "registration", key, space: WAMPSpace.registration, scope: .router)
  }

  /// UNSUBSCRIBE, UNREGISTER: [code, request, id]
  private static func withdrawal(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message
  ) {
    let code = array.code!
    if let key = array.number(1, bytes) {
      message.first = Link(.opens, "request", key, space: UInt8(truncatingIfNeeded: code))
    }
    if let key = array.number(2, bytes) { message.second = registered(code, .concerns, key) }
  }

  /// UNSUBSCRIBED, UNREGISTERED: [code, request], or [code, 0, details] when the router revokes.
  private static func withdrawn(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message
  ) {
    let code = array.code!
    let request = array.number(1, bytes)
    if let request, request > 0 {
      message.first = Link(
        .answers, "request", request, space: UInt8(truncatingIfNeeded: code &- 1))
    }
    guard let details = array.dictionary(2) else { return }
    let word: StaticString = code < WAMPCode.register ? "subscription" : "registration"
    if let id = JSON.value(of: word, in: details, bytes), id.kind == .natural,
      let key = JSON.natural(bytes, id.range)
    {
      message.second = registered(code, .concerns, key)
    }
    if request == 0 { message.about = "revoked" }
    if let reason = JSON.value(of: "reason", in: details, bytes), reason.kind == .string {
      message.reason = reason.content
    }
  }

  /// EVENT: [36, subscription, publication, details, …]
  @inline(__always)
  private static func event(_ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message) {
    if let key = array.number(1, bytes) {
      message.first = Link(
        .refers, "subscription", key, space: WAMPSpace.subscription, scope: .router)
    }
    if let key = array.number(2, bytes) {
      message.second = Link(
        .shares, "publication", key, space: WAMPSpace.publication, scope: .router)
    }
    if let details = array.dictionary(3) {
      if let topic = JSON.value(of: "topic", in: details, bytes), topic.kind == .string {
        message.subject = topic.content
      }
      if JSON.value(of: "retained", in: details, bytes)?.kind == .yes { message.about = "retained" }
    }
    payload(&array, from: 4, &message)
  }

  /// INVOCATION: [68, request, registration, details, …]
  @inline(__always)
  private static func invocation(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message
  ) {
    if let key = array.number(1, bytes) {
      message.first = Link(.opens, "request", key, space: WAMPSpace.invocation)
    }
    if let key = array.number(2, bytes) {
      message.second = Link(
        .refers, "registration", key, space: WAMPSpace.registration, scope: .router)
    }
    if let details = array.dictionary(3) {
      if let procedure = JSON.value(of: "procedure", in: details, bytes),
        procedure.kind == .string
      {
        message.subject = procedure.content
      }
    }
    payload(&array, from: 4, &message)
  }

  /// RESULT and YIELD: [code, request, details, …]; with `progress` more will follow.
  @inline(__always)
  private static func answer(
    _ array: inout WAMPArray, _ bytes: RawSpan, space: UInt8, _ message: inout Message
  ) {
    var isProgress = false
    if let details = array.dictionary(2) {
      isProgress = JSON.value(of: "progress", in: details, bytes)?.kind == .yes
    }
    if let key = array.number(1, bytes) {
      message.first = Link(isProgress ? .continues : .answers, "request", key, space: space)
    }
    if isProgress { message.about = "progressive" }
    payload(&array, from: 3, &message)
  }

  /// CANCEL and INTERRUPT: [code, request, options]
  private static func mention(
    _ array: inout WAMPArray, _ bytes: RawSpan, space: UInt8, _ message: inout Message,
    _ notes: inout ContiguousArray<Note>
  ) {
    if let key = array.number(1, bytes) {
      message.first = Link(.mentions, "request", key, space: space)
    }
    guard let options = array.dictionary(2) else { return }
    for key in ["mode", "reason"] as [StaticString] {
      if let value = JSON.value(of: key, in: options, bytes), value.kind == .string {
        notes.append(Note(.fact, Symbol(key), value.content))
      }
    }
  }

  /// ERROR: [8, type of the request, request, details, URI, …]
  private static func refusal(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ notes: inout ContiguousArray<Note>
  ) {
    if let code = array.number(1, bytes) {
      message.about = WAMPType(code: code)?.name ?? "unknown"
      if let key = array.number(2, bytes) {
        message.first = Link(
          code < 256 ? .answers : .shows, "request", key, space: UInt8(truncatingIfNeeded: code))
      }
    }
    message.reason = array.string(4)
    message.traits.insert(.isFailure)
    payload(&array, from: 5, &message)
    if let keywords = array.dictionary(6),
      let trace = JSON.value(of: "traceback", in: keywords, bytes)
    {
      notes.append(Note(.bulk, "traceback", trace.range))
    }
  }
}
