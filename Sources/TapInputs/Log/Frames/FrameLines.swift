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
  }

  /// Lines that are looked at.
  static let most = 256

  private static let commands: [StaticString] = [
    "CONNECT", "STOMP", "CONNECTED", "SEND", "SUBSCRIBE", "UNSUBSCRIBE", "ACK", "NACK", "BEGIN",
    "COMMIT", "ABORT", "DISCONNECT", "MESSAGE", "RECEIPT", "ERROR", "PING", "PONG",
  ]

  /// The command that stands there alone on its line; nil for anything else.
  static func command(_ text: RawSpan, _ start: Int) -> StaticString? {
    let line = text.extracting(start..<(text.firstIndex(of: 0x0A, from: start) ?? text.byteCount))
    return commands.first { line.equals($0) }
  }

  static func isBeat(_ command: StaticString) -> Bool {
    command.utf8Start[0] == UInt8(ascii: "P")
  }

  /// - Parameter start: of the command.
  static func state(_ text: RawSpan, _ start: Int) -> State {
    var at = text.firstIndex(of: 0x0A, from: start) ?? text.byteCount
    while at < text.byteCount {
      let line = at + 1
      at = text.firstIndex(of: 0x0A, from: line) ?? text.byteCount
      if at == line {
        let head = text.extracting(start..<line)
        return body(text, line + 1, hasBody: hasBody(head))
      }
      guard let colon = text.firstIndex(of: 0x3A, from: line), colon < at else { return .none }
    }
    return .open
  }

  private static func hasBody(_ head: RawSpan) -> Bool {
    LogMarks.last("\ncontent-length:", in: head) != nil
      && LogMarks.last("\ncontent-length:0\n", in: head) == nil
  }

  /// Of a line that has nothing but NUL on it, nothing is left.
  private static func body(_ text: RawSpan, _ start: Int, hasBody: Bool) -> State {
    if start > text.byteCount { return .open }
    if let end = text.firstIndex(of: 0, from: start) { return .whole(end) }
    let isEmpty = start == text.byteCount || text.byte(at: start) == 0x0A
    return isEmpty && !hasBody ? .whole(start) : .open
  }
}

extension LogReader {
  /// Where a frame begins on a line whose rest stands below it; nil for none.
  func frameStart(_ line: RawSpan) -> Int? {
    guard let (match, start) = NamedFields.find(line, only: place.choice.logFormat),
      case .frameLines? = match.row?.form, let command = FrameLines.command(line, start)
    else { return nil }
    return FrameLines.isBeat(command) ? nil : start
  }
}

extension LogLines {
  /// A line below the command of a frame; answers whether it stands for itself.
  mutating func gatherFrame(
    _ bytes: RawSpan, _ frame: LogGathering, _ reader: inout LogReader, _ sink: any EvidenceSink
  ) -> Bool {
    let isNext = bytes.starts(with: ">>> ") || bytes.starts(with: "<<< ")
    guard !isNext, frame.breaks.count < FrameLines.most,
      frame.text.count + bytes.byteCount <= limits.lineBytes
    else {
      giveUp(&reader, sink)
      return true
    }
    var waiting = frame
    waiting.text.append(0x0A)
    waiting.breaks.append(waiting.text.count)
    waiting.removed.append(0)
    waiting.text.append(bytes)
    waiting.height += 1
    gathering = waiting
    switch FrameLines.state(waiting.text.bytes, waiting.frame ?? 0) {
    case .open: return false
    case .none: giveUp(&reader, sink)
    case .whole:
      gathering = nil
      readGathered(waiting, &reader, sink)
      keep(bytes)
    }
    return false
  }
}
