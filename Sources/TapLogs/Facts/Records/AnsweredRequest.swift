// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A record of an answer may have the request beside it, which was printed when it was sent:
/// `{"response": {"id": 1, "result": {}}, "request": {"id": 1, "method": "initialize"}}`.
enum AnsweredRequest {
  private static let (request, response): (StaticString, StaticString) = ("request", "response")

  /// Whether the object that begins at `start` is the member `request` of a record that has a
  /// member `response`, too.
  static func isThere(_ line: RawSpan, _ start: Int) -> Bool {
    if !isName(line, endingAt: line.beforeSpace(start) - 1, request) { return false }
    var walk = RecordWalk(escapes: RecordWalk.escapes(line, before: start))
    // Of each level that is open before the request, whether it has a response; then of its own.
    var levels = [false]
    var own: Int?
    while walk.at < line.byteCount {
      switch walk.step(line, until: line.byteCount) {
      case .begin:
        if own == nil && walk.at > start {
          own = walk.depth - 1
          if levels[walk.depth - 1] { return true }
        }
        if own == nil { levels.append(false) }
      case .end:
        if let own, walk.depth < own { return false }
        if own == nil { levels.removeLast(levels.count - 1 - walk.depth) }
      case .name where isName(line, endingAt: walk.at - 1, response):
        if own == walk.depth { return true }
        if own == nil { levels[walk.depth] = true }
      case .name, .nothing: break
      }
    }
    return false
  }

  /// Whether a name, in quotation marks or not, ends before the colon at a place.
  private static func isName(_ line: RawSpan, endingAt colon: Int, _ name: StaticString) -> Bool {
    guard colon > 0, line.byte(at: colon) == .colon else { return false }
    let end = line.before(line.beforeSpace(colon)) { $0.isQuoting }
    let start = LogDirectionWords.word(line, endingAt: end).lowerBound
    return line.extracting(start..<end).equals(name)
      && (start == 0 || !line.byte(at: start - 1).isOfMemberName)
  }
}
