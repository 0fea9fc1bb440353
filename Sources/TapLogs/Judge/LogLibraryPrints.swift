// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapTraffic

/// A program and the library below it may both print a message, in the order in which it passes
/// them: what is sent is printed by the program first, what is received by the library. The program
/// prints all of it, and tells it. What the library has received waits for the program, and all
/// messages behind it wait for their turn.
struct LogLibraryPrints {
  typealias Message = LogSecondPrint.Message

  /// How far behind its other print a message may stand, in lines.
  private static let furthest: UInt64 = 64
  /// Messages that wait, and their bytes.
  private static let most = 64
  private static let mostBytes = 1 << 20

  /// In `LogFormats.all`; nil as long as no program has printed anything.
  private var library: Int?
  /// What the program has sent last, by its line.
  private var sent: (bytes: [UInt8], record: UInt64)?
  private var queue: [(message: Message, isForProgram: Bool)] = []
  private var bytes = 0

  var waiting: UInt64? { queue.first?.message.candidate.origin.offset }

  /// Whether the program has printed this message, which it sends, on the lines before.
  mutating func isEcho(_ candidate: LogCandidate, _ bytes: RawSpan) -> Bool {
    guard let match = candidate.match else { return false }
    if let library = LogFormats.library(of: match.format) {
      self.library = library
      if match.way == .sent { sent = (bytes.copied(), candidate.origin.record) }
      return false
    }
    guard match.format == library, match.way == .sent, let printed = sent,
      candidate.origin.record <= printed.record + Self.furthest,
      Self.isSame(candidate, bytes, printed.bytes.span.bytes)
    else { return false }
    // What the library prints once more was sent once more.
    sent = nil
    return true
  }

  /// Whether a message has to wait, or is what one waits for.
  func holds(_ candidate: LogCandidate) -> Bool { !queue.isEmpty || isForProgram(candidate) }

  private func isForProgram(_ candidate: LogCandidate) -> Bool {
    guard let library, let match = candidate.match else { return false }
    return match.format == library && match.way == .received
  }

  /// Puts a message in its place: that of the print of the library, where that waits for it.
  ///
  /// - Returns: what was printed twice, and what is told now, in order.
  mutating func take(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ judgement: LogJudge.Judgement
  ) -> (twice: LogCandidate?, told: [Message]) {
    let message = (candidate: candidate, bytes: bytes.copied(), judgement: judgement)
    var twice: LogCandidate?
    self.bytes += bytes.byteCount
    if let match = candidate.match, match.way == .received,
      LogFormats.library(of: match.format) != nil,
      let index = queue.firstIndex(where: {
        $0.isForProgram && Self.isSame($0.message.candidate, $0.message.bytes.span.bytes, bytes)
      })
    {
      twice = queue[index].message.candidate
      self.bytes -= queue[index].message.bytes.count
      queue[index] = (message, false)
    } else {
      queue.append((message, isForProgram(candidate)))
    }
    var count = 0
    while count < queue.count,
      !queue[count].isForProgram || queue.count - count > Self.most || self.bytes > Self.mostBytes
        || queue[count].message.candidate.origin.record + Self.furthest < candidate.origin.record
    {
      self.bytes -= queue[count].message.bytes.count
      count += 1
    }
    defer { queue.removeFirst(count) }
    return (twice, queue[..<count].map(\.message))
  }

  /// Others do not come.
  mutating func takeAll() -> [Message] {
    defer { (queue, bytes) = ([], 0) }
    return queue.map(\.message)
  }

  private static func isSame(_ printed: LogCandidate, _ held: RawSpan, _ bytes: RawSpan) -> Bool {
    printed.isCut ? SameList.begins(held, like: bytes) : SameList.isSame(held, bytes)
  }
}
