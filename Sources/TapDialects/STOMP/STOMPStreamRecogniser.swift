// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// TCP streams that begin with a command of STOMP alone on its line, and a header behind it; in the
/// middle of a stream, frames that have the headers of their command.
struct STOMPStreamRecogniser: StreamRecogniser {
  private var frames: STOMPRecogniser

  init(limits: Limits) { frames = STOMPRecogniser(limits: limits) }

  mutating func recognise(first: RawSpan, _ direction: Direction) -> Bool? {
    let start = STOMPFraming.behindLineEnds(first, 0)
    if STOMPFraming.beginsFrame(first, at: start) { return true }
    // A command, or the header behind it, that is not all there.
    guard let end = first.firstIndex(of: .lineFeed, from: start) else {
      return STOMPCommand.mayBegin(first.dropping(start)) ? nil : false
    }
    let hasReturn = end > start && first.byte(at: end - 1) == .carriageReturn
    let line = first.extracting(start..<(hasReturn ? end - 1 : end))
    if STOMPCommand(line) == nil { return false }
    let isLineOpen = first.firstIndex(of: .lineFeed, from: end + 1) == nil
    return isLineOpen && first.byteCount - end <= 1024 ? nil : false
  }

  mutating func recognise(midstream bytes: RawSpan, _ delivery: Delivery) -> Direction? {
    var start = delivery.edges.contains(.start) ? 0 : nextBeginning(bytes, from: 0)
    while let place = start {
      let frame = bytes.dropping(STOMPFraming.behindLineEnds(bytes, place))
      let found = frames.recognise(frame, .stream, in: .text)
      if found.grade == .likely { return found.direction }
      start = nextBeginning(bytes, from: place)
    }
    return nil
  }

  /// Behind the next NUL.
  private func nextBeginning(_ bytes: RawSpan, from start: Int) -> Int? {
    guard let nul = bytes.firstIndex(of: 0, from: start), nul + 1 < bytes.byteCount else {
      return nil
    }
    return nul + 1
  }
}

extension STOMPCommand {
  /// Whether more bytes may make a command of these.
  static func mayBegin(_ bytes: RawSpan) -> Bool {
    allCases.contains { command in
      let name = Array("\(command.name)\r".utf8)
      return bytes.byteCount <= name.count && name.starts(with: bytes.copied())
    }
  }
}
