// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// The meta API shows which URIs the ids of subscriptions and registrations stand for, even those
/// that were granted before the capture began (wamp-proto, "Subscription Meta API" and
/// "Registration Meta API").
extension WAMPDialect {
  private static let subjects: [(name: StaticString, word: StaticString, space: UInt8)] = [
    ("wamp.subscription.on_create", "subscription", WAMPSpace.subscription),
    ("wamp.subscription.get", "subscription", WAMPSpace.subscription),
    ("wamp.registration.on_create", "registration", WAMPSpace.registration),
    ("wamp.registration.get", "registration", WAMPSpace.registration),
  ]

  public func isLesson(subject: RawSpan) -> Bool {
    for entry in Self.subjects where subject.equals(entry.name) { return true }
    return false
  }

  /// `{"id": …, "created": …, "uri": …, "match": …}` among the arguments of EVENT or RESULT.
  public func lessons(
    in message: Message, _ bytes: RawSpan, about subject: RawSpan
  ) -> [LearnedName] {
    var known: (name: StaticString, word: StaticString, space: UInt8)?
    for entry in Self.subjects where subject.equals(entry.name) { known = entry }
    guard let known, message.first.role != .opens, message.payload.count > 2,
      bytes.byte(at: message.payload.start) == .openBracket
    else { return [] }
    var lessons: [LearnedName] = []
    var elements = JSON.Members(ofArray: message.payload)
    while let member = elements.next(bytes) {
      let object = member.value.range
      guard member.value.kind == .object,
        let id = JSON.value(of: "id", in: object, bytes), id.kind == .natural,
        let key = JSON.natural(bytes, id.range),
        let uri = JSON.value(of: "uri", in: object, bytes), uri.kind == .string
      else { continue }
      let match = JSON.value(of: "match", in: object, bytes)
      let isExact = match.map { JSON.equals(bytes, $0.content, "exact") } ?? true
      lessons.append(
        LearnedName(
          Link(.names, known.word, key, space: known.space, scope: .router), uri.content,
          isPattern: !isExact))
    }
    return lessons
  }
}
