// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings

/// A record of a logger, where any object may be a message: it says who sends its payload, or else
/// when it was written, how severe it is, and some text.
struct LoggerRecord {
  /// Where the object begins that it calls its message; nil where there is none.
  private(set) var payload: Int?

  /// Nil for an object that is no such record.
  init?(_ object: RawSpan) {
    var (payloads, hasTime, isSaid, hasLevel, hasText) = (0, false, false, false, false)
    var at = 1
    while let member = JSON.next(object, &at, inObject: true) {
      let name = member.key.start..<member.key.end
      let content = object[member.value.content]
      if LogMemberNames.isMessage(object.extracting(name)) {
        if let start = Self.object(object, member.value) {
          payloads += 1
          payload = start
        } else {
          hasText = hasText || member.value.kind == .string
        }
      } else if let rank = LogMemberNames.rank(ofDirection: object, name) {
        isSaid = isSaid || LogMemberNames.direction(content, rank) != nil
      } else if LogMemberNames.isLevel(object.extracting(name)) {
        hasLevel = member.value.kind == .natural || LogSources.isNameOfLevel(content)
      } else {
        hasTime = hasTime || LogMemberNames.find(object, name)?.topic == .time
      }
    }
    if payloads > 1 { payload = nil }
    guard isSaid && payloads == 1 || hasTime && hasLevel && hasText else { return nil }
  }

  /// Where the message begins in an object that a logger prints bare behind its words, with what is
  /// called so and what says when and where: `sent {"payload": "{\"type\":…}"}`. Behind a colon,
  /// the object itself was sent. As JSON of its own, and no string, its message is known where the
  /// object is a column.
  static func payload(ofContext object: RawSpan, behind line: RawSpan, _ start: Int) -> Int? {
    let before = line.beforeSpace(start)
    guard before > 0, before < start, line.byte(at: before - 1).isAlpha,
      let value = ContextObjectFinder.contextValue(object),
      let name = LogTimeNames.word(object, before: object.beforeSpace(value.range.start) - 1),
      LogMemberNames.isMessage(object.extracting(name)),
      value.kind == .string || line.byte(at: start - 1) == .tab
    else { return nil }
    return self.object(object, value)
  }

  /// Where an object begins that is a value, or the whole text of one.
  private static func object(_ record: RawSpan, _ value: JSONElement) -> Int? {
    if value.kind == .object { return value.range.start }
    guard value.kind == .string else { return nil }
    let content = record[value.content]
    guard content.starts(with: "{") else { return nil }
    let text = JSON.unescaped(content)
    return ListEnd.json(text.span.bytes, 0) == text.count ? value.range.start + 1 : nil
  }
}
