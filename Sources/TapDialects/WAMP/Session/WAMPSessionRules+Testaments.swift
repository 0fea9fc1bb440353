// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// What sessions leave to be published when they are gone: an EVENT without a PUBLISH (wamp-proto,
/// "Session Testament").
extension WAMPSessionRules {
  /// CALL of a procedure of the router.
  @inline(never)
  mutating func leaveTestament(_ bytes: RawSpan, _ message: inout Message) {
    let procedure = bytes[message.subject]
    if procedure.equals("wamp.session.add_testament") {
      addTestament(bytes, &message)
    } else if procedure.equals("wamp.session.flush_testaments") {
      flushTestaments(bytes, &message)
    }
  }

  /// `[topic, arguments, keywords]`, and by keyword `publish_options` and `scope`.
  private mutating func addTestament(_ bytes: RawSpan, _ message: inout Message) {
    guard realm != nil, message.payload.count > 2, bytes.byte(at: message.payload.start) == 0x5B
    else { return }
    let part = bytes.extracting(0..<message.payload.end)
    var at = message.payload.start + 1
    guard let topic = JSON.next(part, &at, inObject: false)?.value, topic.kind == .string else {
      return
    }
    let arguments = JSON.next(part, &at, inObject: false)?.value.range ?? ByteRange()
    let keywords = JSON.next(part, &at, inObject: false)?.value.range ?? ByteRange()
    if testaments.count >= WAMPTestament.most { testaments.removeFirst() }
    testaments.append(
      WAMPTestament(
        request: message.first.key, topic: bytes[topic.content].fingerprint,
        payload: context.isInexact
          ? .unknown : WAMPPayload(arguments: arguments, keywords: keywords, bytes),
        isForDetached: Self.isForDetached(bytes, message)))
  }

  private mutating func flushTestaments(_ bytes: RawSpan, _ message: inout Message) {
    let isForDetached = Self.isForDetached(bytes, message)
    testaments.removeAll { $0.isForDetached == isForDetached }
  }

  private static func isForDetached(_ bytes: RawSpan, _ message: borrowing Message) -> Bool {
    guard message.keywords.count > 2,
      let scope = JSON.value(of: "scope", in: message.keywords, bytes)
    else { return false }
    return JSON.equals(bytes, scope.content, "detached")
  }

  /// The session ends.
  mutating func bequeath(_ realm: WAMPRealm) {
    for testament in testaments {
      var left = testament
      left.session = sessionID
      if realm.testaments.count >= WAMPTestament.most { realm.testaments.removeFirst() }
      realm.testaments.append(left)
    }
    testaments.removeAll()
  }

  /// Whether an EVENT that nobody is known to have published is the testament of a session that has
  /// ended: its topic and its arguments say so, no id does.
  func executes(
    _ grant: WAMPGrants.Grant, _ bytes: RawSpan, _ message: inout Message, _ realm: WAMPRealm,
    _ listener: any Listener
  ) -> Bool {
    let topic = message.subject.isEmpty ? grant.uri : bytes[message.subject].fingerprint
    let publication = message.second.key
    for testament in realm.testaments
    where testament.topic == topic && testament.payload.isSame(as: message, bytes) {
      var found = context.finding(
        .testamentPublished, .note, message.origin, "publication \(publication)",
        about: message.first,
        " is the testament of session \(testament.session), which has ended: its topic and"
          + " arguments are those of CALL request \(testament.request) there")
      found.isAboutLastMessage = true
      listener.finding(found)
      return true
    }
    return false
  }
}
