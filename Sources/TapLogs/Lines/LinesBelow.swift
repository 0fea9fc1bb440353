// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Whether what a line begins goes on below it.
struct LinesBelow {
  private var rules: LogRules
  private let recogniser: any TextRecogniser
  private let named: NamedFields

  /// What values of other languages begin with.
  private static let foreign: [StaticString] = ["'", "(", "<<", "#{", "%{"]

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
    // What is before the first string or tuple of Python, or the first term of Erlang, is JSON.
    let count = Self.foreign.map { list.firstIndex(of: $0) ?? list.byteCount }.min() ?? 0
    CutList.close(list.extracting(0..<count), into: &json, isFull: true)
    return recogniser.recognise(json.bytes, .abridged).grade != .none
  }

  /// What a line without a list says that comes below it; nil for nothing.
  ///
  /// - Parameter anchors: those of the line.
  func awaited(_ line: RawSpan, _ anchors: LogAnchors) -> GatheredLines.Awaited? {
    if anchors.contains(.program), let start = FrameLines.said(line) { return .frame(start: start) }
    // A line that was found for a word of its object has no words of a program.
    let mayBeMarked = !anchors.isOfObjects
    if mayBeMarked, let (match, start) = named.find(line), let rule = match.rule {
      switch rule.form {
      case .block: return .indented
      case .dump: return .dump(length: start)
      case .frameLines where FrameLines.begins(line, start): return .frame(start: start)
      default: if !anchors.isEmpty && !rule.placement.contains(.below) { return nil }
      }
    }
    let last = line.lastUnspaced
    if let last, let start = LoggedDump.announced(line.extracting(0..<last + 1)) {
      return .dump(length: start)
    }
    if let last, line.byte(at: last) == .openBracket { return .list }
    if anchors.contains(.sent), let last, SentJSON.isAbove(line.extracting(0..<last + 1)) {
      return .list
    }
    return mayBeMarked && LogFormats.isMarkedAbove(line) ? .list : nil
  }
}
