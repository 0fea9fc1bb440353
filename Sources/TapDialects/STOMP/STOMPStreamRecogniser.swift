// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Recognises TCP streams that begin with a STOMP command on its own line, followed by a header; in
/// the middle of a stream, frames that have the required headers of their command.
struct STOMPStreamRecogniser: StreamRecogniser {
  private var frames: STOMPRecogniser

  init(limits: Limits) { frames = STOMPRecogniser(limits: limits) }

  mutating func recognise(first: RawSpan, _ direction: Direction) -> Bool? {
    let start = STOMPFraming.behindLineEnds(first, 0)
    if STOMPFraming.beginsFrame(first, at: start) { return true }
    // The command or the following header may be incomplete.
    guard let end = first.firstIndex(of: .lineFeed, from: start) else {
      return STOMPCommand.mayBegin(first.dropping(start)) ? nil : false
    }
    let hasReturn = end > start && first.byte(at: end - 1) == .carriageReturn
    let line = first.extracting(start..<(hasReturn ? end - 1 : end))
    if STOMPCommand(line) == nil { return false }
    let isLineOpen = first.firstIndex(of: .lineFeed, from: end + 1) == nil
    return isLineOpen && first.byteCount - end <= 1024 ? nil : false
  }

  mutating func recognise(midstream bytes: RawSpan, _ delivery: Delivery) -> MessagesMidstream? {
    var start = delivery.edges.contains(.start) ? 0 : nextBeginning(bytes, from: 0)
    while let place = start {
      let frame = bytes.dropping(STOMPFraming.behindLineEnds(bytes, place))
      let found = frames.recognise(frame, .stream, in: .text)
      if found.grade == .likely {
        return MessagesMidstream(direction: found.direction, length: bytes.byteCount - place)
      }
      start = nextBeginning(bytes, from: place)
    }
    return nil
  }

  /// The offset after the next NUL.
  private func nextBeginning(_ bytes: RawSpan, from start: Int) -> Int? {
    guard let nul = bytes.firstIndex(of: 0, from: start), nul + 1 < bytes.byteCount else {
      return nil
    }
    return nul + 1
  }
}

extension STOMPCommand {
  /// Whether these bytes are the beginning of a command.
  static func mayBegin(_ bytes: RawSpan) -> Bool {
    allCases.contains { command in
      let name = Array("\(command.name)\r".utf8)
      return bytes.byteCount <= name.count && name.starts(with: bytes.copied())
    }
  }
}
