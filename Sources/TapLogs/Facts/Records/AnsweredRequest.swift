// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// A record of an answer may have the request beside it, which was printed when it was sent:
/// `{"response": {"id": 1, "result": {}}, "request": {"id": 1, "method": "initialize"}}`.
///
/// Objects of a line are asked from the first to the last, so that it is gone over once.
struct AnsweredRequest {
  private static let (request, response): (StaticString, StaticString) = ("request", "response")

  private var walk = RecordWalk()
  /// A bit for each open level that has a response so far.
  private var responses: UInt64 = 0

  /// Whether the object that begins at `start` is the member `request` of a record that has a
  /// member `response`, too.
  mutating func isThere(_ line: RawSpan, _ start: Int) -> Bool {
    if !Self.isName(line, endingAt: line.beforeSpace(start) - 1, Self.request) { return false }
    let escapes = RecordWalk.escapes(line, before: start)
    if walk.escapes != escapes || walk.at > start {
      (walk, responses) = (RecordWalk(escapes: escapes), 0)
    }
    while walk.at < start {
      switch walk.step(line, until: start) {
      case .begin: responses &= ~(1 << UInt64(walk.depth))
      case .name where Self.isName(line, endingAt: walk.at - 1, Self.response):
        responses |= 1 << UInt64(walk.depth)
      case .name, .end, .nothing: break
      }
    }
    let own = walk.depth
    return responses & 1 << UInt64(own) != 0 || hasResponse(line, own)
  }

  /// Whether the record goes on with a response.
  private func hasResponse(_ line: RawSpan, _ own: Int) -> Bool {
    var rest = walk
    while rest.at < line.byteCount {
      switch rest.step(line, until: line.byteCount) {
      case .end where rest.depth < own: return false
      case .name where rest.depth == own:
        if Self.isName(line, endingAt: rest.at - 1, Self.response) { return true }
      case .begin, .name, .end, .nothing: break
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
