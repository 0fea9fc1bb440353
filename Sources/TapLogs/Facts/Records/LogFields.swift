// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Finds who sends in a field of the line beside a message: `direction=OUT session=17 payload={…}`,
/// `data="{…}" dir=recv`, or in what happens there: `msg=send conn=7 data="{…}"`, and structlog's
/// `send   conn=7 data='{…}'`.
enum LogFields {
  /// Bytes before the message, and at the end of the line, that are looked at.
  private static let furthest = 256

  /// - Parameter begin: behind the message before it.
  /// - Returns: nil also for a message that is no field.
  static func direction(_ line: RawSpan, _ start: Int, from begin: Int) -> LogDirection? {
    let sign = line.before(start, from: begin) { $0.isQuoting || $0 == .openBracket }
    guard sign > begin, line.byte(at: sign - 1) == UInt8(ascii: "=") else { return nil }
    let ahead = max(begin, start - furthest)..<start
    // Behind the last bracket or quotation mark, it is in no message.
    let end = line.byteCount
    let behind = line.before(end, from: max(start, end - furthest)) { !isEnd($0) }..<end
    let ranges = [ahead, behind]
    for range in ranges {
      if let direction = direction(line, range, isVague: false) { return direction }
    }
    // `msg=received ids=[33,1,5862354]` says nothing of a message.
    let name = line.before(sign - 1, from: ahead.lowerBound) { $0.isOfMemberName }
    guard LogMemberNames.isMessage(line.extracting(name..<sign - 1)) else { return nil }
    for range in ranges {
      if let direction = direction(line, range, isVague: true) { return direction }
    }
    return words(line, before: name, from: ahead.lowerBound)
  }

  /// - Parameter isVague: ask the fields that say what happens, and not those that are named for a
  ///   direction.
  private static func direction(
    _ line: RawSpan, _ range: Range<Int>, isVague: Bool
  ) -> LogDirection? {
    let fields = line.extracting(0..<range.upperBound)
    var at = range.lowerBound
    while let sign = fields.firstIndex(of: UInt8(ascii: "="), from: at) {
      at = sign + 1
      let name = fields.before(sign, from: range.lowerBound) { $0.isOfMemberName }
      // Not in a URL.
      guard name < sign, name == 0 || fields.byte(at: name - 1).isBeforeField,
        let (topic, rank) = LogMemberNames.find(fields, name..<sign), topic == .direction,
        LogMemberNames.isVague(rank) == isVague
      else { continue }
      let word = fields.extracting(value(fields, at, isVague: isVague))
      if let direction = LogMemberNames.direction(word, rank) { return direction }
    }
    return nil
  }

  /// The value of a field: a word, or where words may be meant, all that is quoted.
  private static func value(_ fields: RawSpan, _ sign: Int, isVague: Bool) -> Range<Int> {
    let start = fields.behind(sign) { $0.isQuoting }
    if isVague, start == sign + 1,
      let end = fields.firstIndex(of: fields.byte(at: sign), from: start)
    {
      return start..<end
    }
    return start..<fields.behind(start) { $0.isOfMemberName }
  }

  /// Who sends, as the words before the first field of a line say it.
  ///
  /// - Parameter field: where the name of the field begins that has the message.
  private static func words(_ line: RawSpan, before field: Int, from begin: Int) -> LogDirection? {
    var at = field
    var count = 0
    while true {
      let end = line.beforeBlanks(at, from: begin)
      guard end > begin, end < at else { return nil }
      guard let name = name(line, ofFieldBefore: end, from: begin) else {
        return count > 0 ? LogDirectionWords.direction(line.extracting(begin..<end)) : nil
      }
      (at, count) = (name, count + 1)
    }
  }

  /// Where a field begins whose value, quoted or one word, ends there; nil where none does.
  private static func name(_ line: RawSpan, ofFieldBefore end: Int, from begin: Int) -> Int? {
    let quote = line.byte(at: end - 1)
    var value: Int
    if quote == .quote || quote == .apostrophe {
      value = line.before(end - 1, from: begin) { $0 != quote } - 1
    } else {
      value = line.before(end, from: begin) { $0 != UInt8(ascii: "=") && $0 != .space }
    }
    guard value > begin, line.byte(at: value - 1) == UInt8(ascii: "=") else { return nil }
    value -= 1
    let name = line.before(value, from: begin) { $0.isOfMemberName }
    return name < value ? name : nil
  }

  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == .closeBrace || byte == .closeBracket || byte == .quote || byte == .apostrophe
  }
}

extension UInt8 {
  fileprivate var isBeforeField: Bool {
    isJSONSpace || isQuoting || self == .openBracket || self == .comma || self == UInt8(ascii: "(")
  }
}
