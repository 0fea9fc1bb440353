// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Whether what a line begins goes on below it.
struct LinesBelow {
  private var rules: LogRules
  private let recogniser: any TextRecogniser
  private let named: NamedFields

  init(_ recogniser: any TextRecogniser, only: Int?) {
    (self.recogniser, named) = (recogniser, NamedFields(recogniser.printedMessages, only: only))
    rules = LogRules(named.layouts, only: only)
  }

  /// Whether a list that begins on a line may go on in the next. If the line is marked, its format
  /// says so; else the part that is there has to look like a message.
  mutating func mayContinue(_ line: RawSpan, _ start: Int) -> Bool {
    // A string ends on its line.
    if EscapedList.depth(line, start) > 0 { return false }
    let prefix = line.extracting(0..<start)
    if let rule = rules.match(prefix, LogRules.shape(prefix))?.rule {
      if case .value = rule.form { return rule.placement.contains(.below) }
      return false
    }
    var json = Scratch()
    let list = line.dropping(start)
    // What is before the first string or tuple of Python is JSON.
    let count = min(
      list.firstIndex(of: .apostrophe) ?? list.byteCount,
      list.firstIndex(of: UInt8(ascii: "(")) ?? list.byteCount)
    CutList.close(list.extracting(0..<count), into: &json, isFull: true)
    return recogniser.recognise(json.bytes, .abridged).grade != .none
  }

  /// Whether a line without a list says that one comes below it.
  ///
  /// - Parameter anchors: those of the line.
  func isExpected(_ line: RawSpan, _ anchors: LogAnchors) -> Bool {
    // A line that was found for a word of its object has no words of a program.
    let mayBeMarked = !anchors.isOfObjects
    if mayBeMarked, let (match, start) = named.find(line), let rule = match.rule {
      switch rule.form {
      case .block, .dump: return true
      case .frameLines where FrameLines.begins(line, start): return true
      default: if !anchors.isEmpty && !rule.placement.contains(.below) { return false }
      }
    }
    let last = line.lastUnspaced
    if let last, line.byte(at: last) == .openBracket { return true }
    if anchors.contains(.sent), let last, SentJSON.isAbove(line.extracting(0..<last + 1)) {
      return true
    }
    return mayBeMarked && LogFormats.marksAbove.contains { LogMarks.last($0, in: line) != nil }
  }

  /// Whether bytes follow on the lines below one, and in what form.
  func block(_ line: RawSpan) -> GatheredLines.Block? {
    guard let (match, start) = named.find(line) else { return nil }
    switch match.rule?.form {
    case .block: return .indented
    case .dump: return .dump(length: start)
    default: return nil
    }
  }

  /// Where a frame of STOMP begins on a line whose rest stands below it; nil for none.
  func frameStart(_ line: RawSpan) -> Int? {
    guard let (match, start) = named.find(line),
      case .frameLines? = match.rule?.form, FrameLines.begins(line, start)
    else { return nil }
    return start
  }
}
