// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEncodings
internal import TapTraffic

/// A program and the library below it may both print a message, in the order in which it passes
/// them: what is sent is printed by the program first, what is received by the library. The program
/// prints all of it, and tells it; what only the library has printed is told a little later.
struct LogLibraryPrints {
  typealias Message = LogSecondPrint.Message

  /// Messages of the library that wait for the program, and lines that they wait.
  private static let most = 16
  private static let furthest: UInt64 = 64

  /// In `LogFormats.all`; nil as long as no program has printed anything.
  private var library: Int?
  /// What the program has printed last.
  private var last: (way: LogRule.Way, bytes: [UInt8])?
  /// Received messages that the library has printed.
  private var held: [Message] = []

  var waiting: UInt64? { held.first?.candidate.origin.offset }

  /// Whether the program has printed this message, which it sends, on the lines before.
  mutating func isEcho(_ candidate: LogCandidate, _ bytes: RawSpan) -> Bool {
    guard let match = candidate.match else { return false }
    if let library = LogFormats.library(of: match.format) {
      self.library = library
      last = (match.way, bytes.copied())
      return false
    }
    guard match.format == library, let printed = last, printed.way == match.way,
      Self.isSame(candidate, bytes, printed.bytes.span.bytes)
    else { return false }
    // What the library prints once more was sent once more.
    last = nil
    return true
  }

  /// Keeps a message that the program may print on one of the next lines; answers whether it is
  /// one.
  mutating func hold(
    _ candidate: LogCandidate, _ bytes: RawSpan, _ judgement: LogJudge.Judgement
  ) -> Bool {
    guard let library, candidate.match?.format == library, candidate.match?.way == .received else {
      return false
    }
    held.append((candidate, bytes.copied(), judgement))
    return true
  }

  /// Forgets the message that the program prints now; answers it, and those that waited longer than
  /// any does, or than this one.
  mutating func release(
    by candidate: LogCandidate, _ bytes: RawSpan
  ) -> (twice: LogCandidate?, told: [Message]) {
    if held.isEmpty { return (nil, []) }
    var twice: LogCandidate?
    var count = 0
    if let match = candidate.match, match.way == .received,
      LogFormats.library(of: match.format) != nil,
      let index = held.firstIndex(where: {
        Self.isSame($0.candidate, $0.bytes.span.bytes, bytes)
      })
    {
      twice = held.remove(at: index).candidate
      count = index
    }
    while count < held.count,
      held.count - count > Self.most
        || held[count].candidate.origin.record + Self.furthest < candidate.origin.record
    {
      count += 1
    }
    let told = Array(held[..<count])
    held.removeFirst(count)
    return (twice, told)
  }

  /// Others do not come.
  mutating func releaseAll() -> [Message] {
    defer { held = [] }
    return held
  }

  private static func isSame(_ printed: LogCandidate, _ held: RawSpan, _ bytes: RawSpan) -> Bool {
    printed.isCut ? SameList.begins(held, like: bytes) : SameList.isSame(held, bytes)
  }
}
