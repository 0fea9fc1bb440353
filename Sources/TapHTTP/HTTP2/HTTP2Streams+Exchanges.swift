// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Exchanges whose bodies a dialect reads, as those of polling.
extension HTTP2Streams {
  /// - Parameter head: of the request; nil where all of that was read already.
  mutating func begin(
    _ reader: any HTTPExchangeReader, _ head: Head?, _ stream: UInt32, early: HTTP2Answer?,
    _ delivery: Delivery, _ listener: any Listener
  ) {
    lastReader = reader
    guard let share = share(delivery, listener) else {
      if let early { drop(early, listener) }
      var answer = delivery
      answer.origin.direction = .toClient
      reader.gap(nil, answer, listener)
      return reader.end(.lost, answer, listener)
    }
    exchanges[stream] = HTTP2Exchange(reader, head, share)
    guard let early else { return }
    exchanges[stream]!.begin(answer: early.head, early.delivery, listener)
    for case .bytes(let range, let delivery) in early.held.pieces {
      exchanges[stream]!.receive(early.held.store.bytes[range], delivery, listener)
    }
    if early.hasEnded { endExchange(stream, .whole, early.delivery, listener) }
  }

  mutating func beginInherited(_ delivery: Delivery, _ listener: any Listener) {
    guard let reader = inherited else { return }
    inherited = nil
    begin(reader, nil, 1, early: nil, delivery, listener)
  }

  mutating func endExchange(
    _ stream: UInt32, _ how: HTTPBodyEnd, _ delivery: Delivery, _ listener: any Listener
  ) {
    exchanges[stream]!.end(how, delivery, listener)
    if exchanges[stream]!.isOver { exchanges[stream] = nil }
  }

  /// A stream was reset, or its connection has ended.
  mutating func breakOff(
    _ stream: UInt32, _ how: HTTPBodyEnd, _ delivery: Delivery, _ listener: any Listener
  ) {
    var side = delivery
    for direction in [Direction.toServer, .toClient] {
      side.origin.direction = direction
      exchanges[stream]?.end(how, side, listener)
    }
    exchanges[stream] = nil
  }

  /// Requests of the client cannot be read any more: messages may be in them, and their answers.
  mutating func loseRequests(_ delivery: Delivery, _ listener: any Listener) {
    lastReader?.gap(nil, delivery, listener)
    lastReader = nil
  }

  /// The answer on a stream was captured, but cannot be read.
  mutating func missAnswer(_ stream: UInt32, _ delivery: Delivery, _ listener: any Listener) {
    exchanges[stream]?.loseAnswer(delivery, listener)
    // The content will show whether the server accepted.
    if all[stream]?.isOpen == false { judge(stream, listener) }
  }
}
