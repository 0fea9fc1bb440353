// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Which rule of which format a line follows.
struct LogMatch: Sendable {
  /// Index in `LogFormats.all`.
  var formatIndex: Int
  /// Index in the rules of the format; nil where only words say who sends.
  var ruleIndex: Int?
  var direction: LogDirection
  /// The offset behind the mark.
  var markEnd = 0

  init(formatIndex: Int, ruleIndex: Int?, direction: LogDirection, markEnd: Int = 0) {
    (self.formatIndex, self.ruleIndex) = (formatIndex, ruleIndex)
    (self.direction, self.markEnd) = (direction, markEnd)
  }

  /// Words of no format say who sends.
  init(words direction: LogDirection) {
    self.init(formatIndex: LogFormats.unmarked.formatIndex, ruleIndex: nil, direction: direction)
  }

  var format: LogFormat { LogFormats.all[formatIndex] }
  var rule: LogRule? { ruleIndex.map { LogFormats.all[formatIndex].rules[$0] } }

  /// What stands behind the mark is of a dialect, whatever it looks like.
  var isOfDialect: Bool { (rule?.dialect.utf8CodeUnitCount ?? 0) > 0 }

  /// Whether what stands behind the mark was sent, whatever it looks like: a frame, or a message of
  /// a program that is known.
  var isCertain: Bool { !format.traits.contains(.generic) || isOfFrame }

  /// Whether a frame of WebSocket stands behind the mark, with fields that nothing else has.
  var isOfFrame: Bool {
    switch rule?.form {
    case .measured?, .frame(.sized)?, .frame(.data)?, .frame(.fields)?: true
    default: false
    }
  }

  /// Whether a list of numbers is in something else that the line says was sent as it stands there:
  /// `< TEXT '{"type":"cursor","pos":[33,1,5]}'`. Objects of one list are sent together.
  @inline(__always)
  func isInPayload(_ line: RawSpan, _ start: Int) -> Bool {
    guard let rule, !format.traits.contains(.wrapping), markEnd < start, rule.isOfPayloads else {
      return false
    }
    var end = start
    if line.byte(at: start) == .openBrace {
      end = line.beforeSpace(end, from: markEnd)
      end = end > markEnd && line.byte(at: end - 1) == .openBracket ? end - 1 : start
    }
    return Self.hasBracket(line.extracting(markEnd..<end))
  }

  @inline(never)
  private static func hasBracket(_ prefix: RawSpan) -> Bool {
    let text = prefix.extracting(0..<LogWrapping.start(prefix))
    return text.firstIndex(of: .openBrace) != nil || text.firstIndex(of: .openBracket) != nil
  }
}
