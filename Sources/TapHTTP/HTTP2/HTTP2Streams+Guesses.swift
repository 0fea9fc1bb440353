// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Streams whose fields cannot be read, because these refer to others that were not captured. Such
/// a stream is judged by the form of its content.
extension HTTP2Streams {
  /// How many streams are judged at once; the content of others is only counted.
  private static let mostGuesses = 64

  /// Whether to judge the content of an unknown stream: its request may have been missed.
  mutating func guess(_ stream: UInt32, _ listener: any Listener) -> Bool {
    // RFC 8441 §4: only clients ask for WebSocket, and their streams have odd numbers (RFC 9113
    // §5.1.1).
    if stream & 1 == 0 { return false }
    let early = answers.isEmpty ? nil : answers.removeValue(forKey: stream)
    if let early, Self.isWebSocket(early.head) {
      adopt(early, stream, isFromStart: false, listener)
      return all[stream] != nil
    }
    defer { if let early { replay(early, stream, listener) } }
    let isBlind = toServer.value.headers.isLost || toClient.value.headers.isLost
    guard isMidstream || isBlind, !settled.contains(stream) else { return false }
    if guesses >= Self.mostGuesses || isFull { return false }
    guard let share = Allowance.Share(of: limits.allHTTP2Streams) else { return false }
    var guessed = opening
    (guessed.carrier, guessed.isFromStart, guessed.isMultiplexed) = (.stream, false, true)
    var unknown = HTTP2Stream(nil, limits)
    (unknown.flow, unknown.share) = (flows.take(), share)
    unknown.above = chooser.layer(for: guessed)
    (unknown.isOpen, unknown.isGuess) = (true, true)
    all[stream] = unknown
    guesses += 1
    return true
  }

  /// The answer to a request has not come, and no more can be held for it: judges the content.
  mutating func judge(_ stream: UInt32, _ listener: any Listener) {
    guard guesses < Self.mostGuesses, var asked = all[stream] else {
      return forget(stream, listener)
    }
    var guessed = opening
    (guessed.carrier, guessed.isFromStart, guessed.isMultiplexed) = (.stream, false, true)
    if let upgrade = asked.upgrade {
      (guessed.url, guessed.offered) = (upgrade.url, upgrade.offered)
    }
    asked.above = chooser.layer(for: guessed)
    (asked.isOpen, asked.isGuess) = (true, true)
    let waiting = asked.held
    asked.held.removeAll()
    waiting.replay(into: &asked.above, listener)
    all[stream] = asked
    guesses += 1
  }

  /// A request was read: it says what its stream carries, so that is not judged.
  mutating func settle(_ stream: UInt32) {
    // Streams open in the order of their numbers, so old ones need not be remembered forever.
    if isMidstream && settled.count < limits.http2Streams { settled.insert(stream) }
  }
}
