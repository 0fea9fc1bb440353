// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The testaments of a session: events that the router publishes when it has ended, without a
/// PUBLISH (wamp-proto, "Session Testament").
struct WAMPTestaments {
  private var all = ContiguousArray<WAMPTestament>()

  /// CALL of one of the router's own procedures.
  mutating func call(_ bytes: RawSpan, _ message: inout Message, isInexact: Bool) {
    let procedure = bytes[message.subject]
    if procedure.equals("wamp.session.add_testament") {
      add(bytes, &message, isInexact: isInexact)
    } else if procedure.equals("wamp.session.flush_testaments") {
      flush(bytes, &message)
    }
  }

  /// `[topic, arguments, keywords]`, and by keyword `publish_options` and `scope`.
  private mutating func add(_ bytes: RawSpan, _ message: inout Message, isInexact: Bool) {
    guard message.payload.count > 2, bytes.byte(at: message.payload.start) == .openBracket else {
      return
    }
    let part = bytes.extracting(0..<message.payload.end)
    var at = message.payload.start + 1
    guard let topic = JSON.next(part, &at, inObject: false)?.value, topic.kind == .string else {
      return
    }
    let arguments = JSON.next(part, &at, inObject: false)?.value.range ?? ByteRange()
    let keywords = JSON.next(part, &at, inObject: false)?.value.range ?? ByteRange()
    if all.count >= WAMPTestament.most { all.removeFirst() }
    all.append(
      WAMPTestament(
        request: message.first.key, topic: bytes[topic.content].fingerprint,
        payload: isInexact
          ? .unknown : WAMPPayload(arguments: arguments, keywords: keywords, bytes),
        isForDetached: Self.isForDetached(bytes, message)))
  }

  private mutating func flush(_ bytes: RawSpan, _ message: inout Message) {
    let isForDetached = Self.isForDetached(bytes, message)
    all.removeAll { $0.isForDetached == isForDetached }
  }

  private static func isForDetached(_ bytes: RawSpan, _ message: borrowing Message) -> Bool {
    guard message.keywords.count > 2,
      let scope = JSON.value(of: "scope", in: message.keywords, bytes)
    else { return false }
    return JSON.equals(bytes, scope.content, "detached")
  }

  /// ERROR of the CALL that was to set a testament.
  mutating func drop(_ request: UInt64) { all.removeAll { $0.request == request } }

  /// The session ends: moves its testaments to the realm.
  mutating func move(to realm: WAMPRealm, from session: UInt64) {
    for testament in all {
      var left = testament
      left.session = session
      if realm.testaments.count >= WAMPTestament.most { realm.testaments.removeFirst() }
      realm.testaments.append(left)
    }
    all.removeAll()
  }
}
