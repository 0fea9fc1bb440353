// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Answers that come before their requests.
extension HTTP2Streams {
  /// Keeps an answer whose request was not captured yet. The request may also be unreadable, if it
  /// came after a gap in the client's direction.
  mutating func keep(
    _ head: Head, for stream: UInt32, _ delivery: Delivery, _ listener: any Listener
  ) {
    // A second answer to the same request does not count.
    guard stream > lastRequest, answers[stream] == nil, answers.count < limits.http2Streams else {
      return
    }
    let client = toServer.value
    let isWebSocket = Self.isWebSocket(head)
    if unread.contains(stream) {
      unread.remove(stream)
      if isWebSocket {
        adopt(HTTP2Answer(head, delivery, limits), stream, isFromStart: true, listener)
      }
      return
    }
    let isReadable = !client.headers.isLost && (client.search == nil || client.mayBeFirst)
    guard !client.isForeign, isReadable || isWebSocket else { return }
    let answer = HTTP2Answer(head, delivery, limits)
    if isMidstream {
      if isWebSocket { adopt(answer, stream, isFromStart: false, listener) }
      return
    }
    answers[stream] = answer
  }

  /// Whether an answer can only be one to a WebSocket request (RFC 8441 §5).
  static func isWebSocket(_ head: Head) -> Bool {
    head.has("sec-websocket-protocol") || head.has("sec-websocket-extensions")
  }

  /// The request of a stream was captured, but cannot be read.
  mutating func missRequest(_ stream: UInt32, _ listener: any Listener) {
    if all[stream] != nil { return }
    if let answer = answers[stream] {
      if !Self.isWebSocket(answer.head) { return }
      answers[stream] = nil
      adopt(answer, stream, isFromStart: true, listener)
    } else if unread.count < limits.http2Streams {
      unread.insert(stream)
    }
  }

  /// Opens a stream whose answer shows that it is WebSocket, although its request cannot be read.
  ///
  /// - Parameter isFromStart: the client's next bytes are the first on this stream.
  mutating func adopt(
    _ answer: HTTP2Answer, _ stream: UInt32, isFromStart: Bool, _ listener: any Listener
  ) {
    guard !isFull, let share = Allowance.Share(of: limits.allHTTP2Streams)
    else {
      return drop(answer, listener)
    }
    var asked = HTTP2Stream(nil, limits)
    (asked.flow, asked.share) = (flows.take(), share)
    all[stream] = asked
    settle(stream)
    if !isFromStart {
      var client = answer.delivery
      client.origin.direction = .toServer
      all[stream]!.gap(nil, client, listener)
    }
    self.answer(stream, with: answer, listener)
  }

  /// No more requests will come.
  mutating func adoptAll(_ listener: any Listener) {
    for stream in answers.keys.sorted() where Self.isWebSocket(answers[stream]!.head) {
      let answer = answers.removeValue(forKey: stream)!
      adopt(answer, stream, isFromStart: false, listener)
    }
  }

  /// Keeps content that the server sent after such an answer; true if it did.
  mutating func keep(
    _ content: RawSpan, of stream: UInt32, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    guard delivery.origin.direction == .toClient, let answer = answers[stream] else { return false }
    answers[stream]!.held.append(content, delivery)
    if answers[stream]!.held.cost > limits.undecidedBytes || !answers[stream]!.held.reserve() {
      answers[stream] = nil
      drop(answer, listener)
      return false
    }
    return true
  }

  /// Bytes of the server are missing, so later content does not follow what is held.
  mutating func dropAnswers(_ listener: any Listener) {
    for answer in answers.values { drop(answer, listener) }
    answers.removeAll()
  }

  /// The request has come, so its answer takes effect.
  mutating func answer(_ stream: UInt32, with answer: HTTP2Answer, _ listener: any Listener) {
    respond(answer.head, stream, answer.delivery, listener)
    replay(answer, stream, listener)
    if all[stream] != nil && answer.hasEnded { end(stream, answer.delivery, listener) }
  }

  /// Passes on what the server sent after its answer.
  mutating func replay(_ answer: HTTP2Answer, _ stream: UInt32, _ listener: any Listener) {
    if all[stream] == nil { return drop(answer, listener) }
    for case .bytes(let range, let delivery) in answer.held.pieces {
      all[stream]!.receive(answer.held.store.bytes[range], delivery, listener)
    }
  }

  /// Drops an answer: its request asked for something else, or will never come.
  func drop(_ answer: HTTP2Answer, _ listener: any Listener) {
    if answer.held.count > 0 { listener.account(.http, answer.held.count) }
  }
}
