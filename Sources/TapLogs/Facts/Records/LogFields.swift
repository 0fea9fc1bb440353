// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Finds who sends in a field of the line beside a message: `direction=OUT session=17 payload={…}`,
/// `data="{…}" dir=recv`.
enum LogFields {
  /// Bytes before the message, and at the end of the line, that are looked at.
  private static let furthest = 256

  /// - Parameter begin: behind the message before it.
  /// - Returns: nil also for a message that is no field.
  static func direction(_ line: RawSpan, _ start: Int, from begin: Int) -> LogDirection? {
    let sign = line.before(start, from: begin) { $0.isQuoting || $0 == .openBracket }
    guard sign > begin, line.byte(at: sign - 1) == UInt8(ascii: "=") else { return nil }
    if let direction = direction(line, max(begin, start - furthest)..<start) { return direction }
    // Behind the last bracket or quotation mark, it is in no message.
    let end = line.byteCount
    return direction(line, line.before(end, from: max(start, end - furthest)) { !isEnd($0) }..<end)
  }

  private static func direction(_ line: RawSpan, _ range: Range<Int>) -> LogDirection? {
    let fields = line.extracting(0..<range.upperBound)
    var at = range.lowerBound
    while let sign = fields.firstIndex(of: UInt8(ascii: "="), from: at) {
      at = sign + 1
      let name = fields.before(sign, from: range.lowerBound) { $0.isOfMemberName }
      // Not in a URL.
      guard name < sign, name == 0 || fields.byte(at: name - 1).isBeforeField,
        let rank = LogMemberNames.rank(ofDirection: fields, name..<sign)
      else { continue }
      let value = fields.behind(at) { $0.isQuoting }
      let end = fields.behind(value) { $0.isOfMemberName }
      let word = fields.extracting(value..<end)
      if let direction = LogMemberNames.direction(word, rank) { return direction }
    }
    return nil
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
