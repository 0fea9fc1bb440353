// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapSessions
import TapTraffic

extension InspectorState {
  /// A message that says what ids stand for.
  mutating func learn(_ message: Message, _ joined: Joined, _ bytes: RawSpan) {
    guard let dialect = Dialects.named(message.dialect) else { return }
    let subject = subjects.names[joined.subject].copied()
    let lessons = dialect.lessons(in: message, bytes, about: subject.span.bytes)
    for one in lessons { lesson(one, bytes, in: message) }
  }

  mutating func lesson(_ lesson: LearnedName, _ bytes: RawSpan, in message: Message) {
    // Of a message behind the last one that was asked for, the connection may not be known.
    guard Int(message.origin.flow) < connections.count else { return }
    let place = place(of: connections[Int(message.origin.flow)], message.session)
    let (link, subject) = (lesson.link, number(lesson.subject, bytes))
    sessions.learn(link, subject, isPattern: lesson.isPattern, by: summary.messages, at: place)
  }
}
