// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Frames of STOMP over several lines (STOMP 1.2, "STOMP Frames").
enum FrameLines {
  enum State {
    /// These lines are no frame.
    case none
    case open
    /// It ends there; NUL is not counted.
    case whole(Int)
    /// Its headers end there; the program does not print its body.
    case withoutBody(Int)
  }

  /// Lines that are looked at.
  static let most = 256

  /// The command that stands there alone on its line; nil for anything else.
  static func command(_ text: RawSpan, _ start: Int) -> StaticString? {
    let end = text.firstIndex(of: .lineFeed, from: start) ?? text.byteCount
    let line = text.extracting(start..<end)
    let name = line.extracting(0..<PlainLine.end(line))
    return LogFormat.stompCommands.first { name.equals($0) }
  }

  /// The command that ends a line of any program whose words say who sends it: `recv: MESSAGE`,
  /// `sent 'SEND`. Right behind a word, it is a word itself. Nil for any other line.
  static func said(_ line: RawSpan) -> Int? {
    let end = PlainLine.end(line)
    let start = line.before(end, from: max(0, end - 16)) { $0.isUppercase }
    let before = line.beforeSpace(start)
    guard before > 0, let command = command(line.extracting(0..<end), start), !isBeat(command),
      !line.byte(at: before - 1).isWord
    else { return nil }
    let words = line.extracting(0..<start)
    return LogRules.direction(words) != nil && !SentJSON.isOfOthers(words) ? start : nil
  }

  /// Whether a frame begins there whose rest stands below.
  static func begins(_ text: RawSpan, _ start: Int) -> Bool {
    command(text, start).map { !isBeat($0) } ?? false
  }

  static func isBeat(_ command: StaticString) -> Bool {
    command.utf8Start[0] == UInt8(ascii: "P")
  }

  /// - Parameter start: of the command.
  static func state(_ text: RawSpan, _ start: Int) -> State {
    var at = text.firstIndex(of: .lineFeed, from: start) ?? text.byteCount
    while at < text.byteCount {
      let line = at + 1
      at = text.firstIndex(of: .lineFeed, from: line) ?? text.byteCount
      if at == line || at == line + 1 && text.byte(at: line) == .carriageReturn {
        let head = text.extracting(start..<line)
        return state(text, blank: at, announced(head))
      }
      guard let colon = text.firstIndex(of: .colon, from: line), colon < at else { return .none }
    }
    return .open
  }

  /// What the headers say of a body.
  private enum Body: Equatable {
    case none
    case length(Int)
    /// Only NUL shows where it ends, if there is one.
    case unknown
  }

  private static let length: StaticString = "\ncontent-length:"

  /// - Parameter head: with the line feed of the last header.
  private static func announced(_ head: RawSpan) -> Body {
    if let at = LogMarks.last(length, in: head) {
      var digits = DigitReader(head.dropping(at + length.utf8CodeUnitCount))
      guard let count = digits.number(most: 9)?.value else { return .unknown }
      return count == 0 ? .none : .length(count)
    }
    // Only these may have one (STOMP 1.2, "Body").
    let mayHave = (["SEND\n", "MESSAGE\n", "ERROR\n"] as [StaticString]).contains {
      head.starts(with: $0)
    }
    return mayHave ? .unknown : .none
  }

  /// A line with nothing but NUL on it arrives empty, as NULs ahead of a line are dropped. Whoever
  /// copies lines out of a browser or into a report loses NUL elsewhere, too: then the length says
  /// where a body ends.
  ///
  /// - Parameter blank: the end of the line that ends the headers.
  private static func state(_ text: RawSpan, blank: Int, _ body: Body) -> State {
    let start = blank + 1
    if start > text.byteCount { return .open }
    if let end = text.firstIndex(of: 0, from: start) { return .whole(end) }
    if start == text.byteCount || text.byte(at: start) == .lineFeed {
      return body == .none ? .whole(start) : .withoutBody(blank)
    }
    if case .length(let count) = body, text.byteCount - start == count {
      return .whole(text.byteCount)
    }
    return .open
  }

  /// Whether a line is not of the frame that was gathered, which ended with the blank line.
  ///
  /// - Parameter start: of the command.
  static func isBehind(_ text: RawSpan, _ start: Int, _ line: RawSpan) -> Bool {
    let end = text.byteCount
    guard end - start > 1, text.byte(at: end - 1) == .lineFeed, text.byte(at: end - 2) != .lineFeed
    else {
      return false
    }
    if isNext(line) || LogMarks.last("Received data", in: line) != nil { return true }
    let isEmpty = line.isEmpty || line.byte(at: 0) == 0
    return !isEmpty && announced(text.extracting(start..<end)) == .none
  }

  /// Whether another frame begins on a line.
  static func isNext(_ line: RawSpan) -> Bool {
    ([">>> ", "<<< "] as [StaticString]).contains { mark in
      LogMarks.last(mark, in: line).map {
        command(line, $0 + mark.utf8CodeUnitCount) != nil
      } ?? false
    } || said(line) != nil
  }

  /// The frame up to the end of its headers, where no end of it came: the lines behind them may be
  /// its body, or others, as newer versions print no bodies. Nil where it may be no frame: a
  /// command without a header that announces a body is a word that anybody may write.
  static func head(of waiting: GatheredLines) -> GatheredLines? {
    guard case .frame(let frame) = waiting.awaited,
      let blank = blankLine(waiting.text.bytes, frame),
      mayBeFrame(waiting.text.bytes.extracting(frame..<blank))
    else { return nil }
    var head = waiting
    head.text = Scratch()
    head.text.append(waiting.text.bytes.extracting(0..<blank))
    head.text.append(.lineFeed)
    head.breaks.removeAll { $0 > blank }
    head.height -= UInt64(waiting.breaks.count - head.breaks.count)
    return head
  }

  private static func mayBeFrame(_ head: RawSpan) -> Bool {
    announced(head) != .unknown || LogMarks.last("\ndestination:", in: head) != nil
      || head.starts(with: "ERROR\n") && LogMarks.last("\nmessage:", in: head) != nil
  }

  /// The line that ends the headers.
  private static func blankLine(_ text: RawSpan, _ start: Int) -> Int? {
    var line = start
    while let end = text.firstIndex(of: .lineFeed, from: line) {
      if end == line { return end }
      line = end + 1
    }
    return line == text.byteCount ? line : nil
  }
}

extension LineGatherer {
  /// Gathers a line below the command of a frame; returns true if the line is no part of it and
  /// still to be read.
  ///
  /// - Parameter start: of the command.
  mutating func gatherFrame(
    _ line: borrowing PlainLine, _ start: Int, _ waiting: inout GatheredLines,
    _ reader: inout LogReader
  ) -> Bool {
    let text: RawSpan
    switch waiting.framePlace(line.text, start) {
    case .own(let at): text = line.text.extracting(at..<max(at, PlainLine.end(line.text)))
    case .foreign where waiting.foreign < Self.mostForeign:
      readForeign(line, &waiting, &reader)
      return false
    case .foreign, .behind:
      giveUp(waiting, &reader)
      return true
    }
    if FrameLines.isBehind(waiting.text.bytes, start, text) {
      waiting.text.append(.lineFeed)
      readGathered(waiting, &reader)
      return true
    }
    guard !FrameLines.isNext(text), !waiting.isLong,
      waiting.text.count + line.text.byteCount <= limits.lineBytes
    else {
      giveUp(waiting, &reader)
      return true
    }
    if !waiting.isInParts {
      let end = max(text.byteCount, PlainLine.end(line.text))
      waiting.endLine(margin: line.text.extracting(0..<end - text.byteCount))
    }
    waiting.isInParts = LinePrefix.part(line.text)?.isPartial ?? false
    waiting.append(text, at: line.origin.offset)
    if waiting.isInParts {
      gathered = waiting
      return false
    }
    switch FrameLines.state(waiting.text.bytes, start) {
    // Bodies that are printed may begin with an empty line.
    case .open, .withoutBody: gathered = waiting
    case .none: giveUp(waiting, &reader)
    case .whole:
      readGathered(waiting, &reader)
      keepLineAbove(line.text)
    }
    return false
  }
}
