// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapTraffic

/// Looks into objects that loggers print as the context of a line, with the message in them:
/// `{"message":"[33,11,5862354]"}`.
struct ContextObjectFinder {
  private let recogniser: any TextRecogniser
  /// Lists that are looked at in one object.
  private let mostLists: Int
  /// The log has messages in such objects.
  private var hasContexts = false

  init(_ recogniser: any TextRecogniser, _ limits: Limits) {
    (self.recogniser, mostLists) = (recogniser, limits.openLists)
  }

  /// Where a message stands in the object that was found.
  enum Inner {
    /// It is the value of a member that says what the object around it is; it begins there on the
    /// line.
    case value(at: Int)
    /// Somewhere in the object.
    case inside
    /// The object is a record of a logger that ends there: its message is what it calls so, or what
    /// its strings say was sent.
    case record(end: Int, payload: Int?)
  }

  /// Where the message stands in an object that counts as one only because it was sent, or because
  /// all objects do; nil if the object is the message itself.
  ///
  /// - Parameter isSaid: the line says who sends the object.
  mutating func message(in found: FoundMessage, _ line: RawSpan, isSaid: Bool) -> Inner? {
    if found.recognition.grade == .likely { return nil }
    let isFree = found.recognition.grade == .general
    switch found.content {
    case .line(let range):
      let object = line.extracting(range)
      if isFree && !isSaid {
        guard let record = LoggerRecord(object) else { return nil }
        return .record(
          end: range.upperBound, payload: record.payload.map { range.lowerBound + $0 })
      }
      if isFree, let at = LoggerRecord.payload(ofContext: object, behind: line, range.lowerBound) {
        return .value(at: range.lowerBound + at)
      }
      if !found.recognition.needsSender { return nil }
      if let at = context(object, isFree: isFree, maySay: true) {
        return .value(at: range.lowerBound + at)
      }
      return hasLikelyList(object) ? .inside : nil
    case .made(let text):
      if !found.recognition.needsSender { return nil }
      let isInside =
        context(text.bytes, isFree: isFree, maySay: false) != nil || hasLikelyList(text.bytes)
      return isInside ? .inside : nil
    }
  }

  /// Where the message begins that is the value of a context.
  ///
  /// - Parameters:
  ///   - isFree: the object around it is of no protocol that is known.
  ///   - maySay: the line says of the message what it says of the object.
  private mutating func context(_ object: RawSpan, isFree: Bool, maySay: Bool) -> Int? {
    guard let value = Self.contextValue(object) else { return nil }
    let isString = value.kind == .string
    let start = value.range.start + (isString ? 1 : 0)
    let content = object.extracting(start..<value.range.end - (isString ? 1 : 0))
    let text = isString ? JSON.unescaped(content) : content.copied()
    guard let first = text.first, first == .openBracket || first == .openBrace,
      ListEnd.json(text.span.bytes, 0) == text.count
    else { return nil }
    var grade = recogniser.recognise(text.span.bytes, .text).grade
    if first == .openBrace || grade == .none {
      guard isFree else { return nil }
      if grade < .possible && maySay {
        grade = recogniser.recognise(sent: text.span.bytes, .text).grade
      }
    }
    if grade == .likely { hasContexts = true }
    return hasContexts && grade >= .possible ? start : nil
  }

  /// The value that an object is the context of: the only one, or that of the member that is called
  /// as messages are, if the others say when that was, or where.
  static func contextValue(_ object: RawSpan) -> JSONElement? {
    var (first, payload): (JSONElement?, JSONElement?) = (nil, nil)
    var (at, count, payloads, isOther) = (1, 0, 0, false)
    while let member = JSON.next(object, &at, inObject: true) {
      let name = member.key.start..<member.key.end
      count += 1
      if count == 1 { first = member.value }
      if LogMemberNames.isPayload(object.extracting(name)) {
        payloads += 1
        payload = member.value
      } else {
        isOther = isOther || !LogMemberNames.isBeside(object, name)
      }
      if count > 1 && (isOther || payloads > 1) { return nil }
    }
    return count == 1 ? first : payload
  }

  /// Whether an object has a list in it that is likely to be a message.
  private func hasLikelyList(_ object: RawSpan) -> Bool {
    var at = 0
    for _ in 0..<mostLists {
      guard let start = ListStart.next(object, from: at) else { return false }
      if EscapedList.depth(object, start) > 0 {
        at = start + 1
        continue
      }
      at = ListEnd.json(object, start) ?? object.byteCount
      if recogniser.recognise(object.extracting(start..<at), .text).grade == .likely { return true }
    }
    return false
  }
}
