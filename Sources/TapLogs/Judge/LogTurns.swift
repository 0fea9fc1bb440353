// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The order in which messages stand in their log. While something above them waits that may be a
/// message as well (`LogScore`), those that were taken wait, too: it would be reported behind them.
struct LogTurns {
  typealias Message = (candidate: LogCandidate, bytes: [UInt8], turn: UInt64)

  /// The limits of what waits, in messages and in bytes.
  private static let most = 64
  private static let mostBytes = 1 << 20

  /// How often it is waited in vain before nothing is waited for any more.
  private static let mostVain = 4

  private var queue: [Message] = []
  private var bytes = 0
  private var next: UInt64 = 1
  /// What has a turn before this one was waited for in vain.
  private(set) var first: UInt64 = 1
  private var vain = 0

  var isEmpty: Bool { queue.isEmpty }

  /// Where the first message begins that waits.
  var waiting: UInt64? { queue.first?.candidate.origin.offset }

  /// The turn of what stands next in the log.
  mutating func begin() -> UInt64 {
    defer { next += 1 }
    return next
  }

  /// A message that was held is one.
  mutating func add(released message: Message) {
    if vain >= Self.mostVain { first = message.turn }
    vain = 0
    add(message)
  }

  mutating func add(_ message: Message) {
    bytes += message.bytes.count
    let place = queue.lastIndex { $0.turn < message.turn }.map { $0 + 1 } ?? 0
    queue.insert(message, at: place)
  }

  /// Those whose turn it is.
  ///
  /// - Parameter waiting: the turn of the earliest that may still be a message; nil for none.
  mutating func take(before waiting: UInt64?) -> [Message] {
    guard let waiting else { return takeAll() }
    if queue.count > Self.most || bytes > Self.mostBytes {
      vain += 1
      defer { if vain >= Self.mostVain { first = .max } }
      return takeAll()
    }
    let count = queue.firstIndex { $0.turn > waiting } ?? queue.count
    defer { queue.removeFirst(count) }
    for message in queue[..<count] { bytes -= message.bytes.count }
    return Array(queue[..<count])
  }

  /// All: nothing is waited for any longer.
  mutating func takeAll() -> [Message] {
    if queue.isEmpty { return [] }
    defer { (queue, bytes, first) = ([], 0, next) }
    return queue
  }
}
