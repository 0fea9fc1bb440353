// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// A request on a stream of its own, and its answer, whose bodies a dialect reads.
struct HTTP2Exchange {
  let reader: any HTTPExchangeReader
  /// Its share of `Limits.allHTTP2Streams`.
  private let share: Allowance.Share
  /// The body of the request, until it ends.
  private var request: BodyFeed?
  private var hasContent = false
  /// Bytes of the client are missing, and the end of the request perhaps with them.
  private var mayHaveLostEnd = false
  /// The body of the answer, once that has begun.
  private var answer: BodyFeed?
  private var isAnswered = false

  /// - Parameter head: of the request; nil where all of that was read already.
  init(_ reader: any HTTPExchangeReader, _ head: Head?, _ share: Allowance.Share) {
    (self.reader, self.share) = (reader, share)
    request = head.map { BodyFeed(reader, $0, mayHaveMessages: true) }
  }

  /// Both sides have ended it.
  var isOver: Bool { request == nil && isAnswered }

  /// The head of the final response came.
  mutating func begin(answer head: Head, _ delivery: Delivery, _ listener: any Listener) {
    guard !isAnswered, answer == nil, let status = head.status else { return }
    reader.answered(
      status: status, contentType: head.value("content-type") ?? [], delivery, listener)
    answer = BodyFeed(reader, head, mayHaveMessages: status / 100 == 2 && !hasContent)
  }

  /// The head of the response was not captured, or cannot be read, and its body with it.
  mutating func loseAnswer(_ delivery: Delivery, _ listener: any Listener) {
    if isAnswered || answer != nil { return }
    isAnswered = true
    if !hasContent { reader.gap(nil, delivery, listener) }
    reader.end(.lost, delivery, listener)
  }

  /// Content of a DATA frame.
  mutating func receive(_ content: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.origin.direction == .toServer, request != nil {
      hasContent = true
      request!.receive(content, delivery, listener)
    } else if delivery.origin.direction == .toClient, answer != nil {
      answer!.receive(content, delivery, listener)
    } else {
      if delivery.origin.direction == .toClient { loseAnswer(delivery, listener) }
      listener.account(.incomplete, content.byteCount)
    }
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.origin.direction == .toServer {
      request?.gap(missing, delivery, listener)
      if missing == nil { mayHaveLostEnd = true }
      endLostRequest(delivery, listener)
    } else if answer != nil {
      answer!.gap(missing, delivery, listener)
    } else {
      loseAnswer(delivery, listener)
    }
  }

  /// One side has ended it.
  mutating func end(_ how: HTTPBodyEnd, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.origin.direction == .toServer {
      request?.end(how, delivery, listener)
      request = nil
    } else if !isAnswered {
      isAnswered = true
      if answer == nil {
        reader.end(how, delivery, listener)
      } else {
        answer!.end(how, delivery, listener)
      }
      answer = nil
      endLostRequest(delivery, listener)
    }
  }

  /// Once the answer is over, nothing more of the request is waited for if its end may be lost.
  private mutating func endLostRequest(_ delivery: Delivery, _ listener: any Listener) {
    guard isAnswered, mayHaveLostEnd, request != nil else { return }
    var end = delivery
    end.origin.direction = .toServer
    request!.end(.lost, end, listener)
    request = nil
  }
}
