// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// An answer that was captured ahead of its request, as it happens where a machine has several
/// queues, and what the server sent behind it.
struct HTTP2Answer {
  var head: Head
  var delivery: Delivery
  /// Content of DATA frames.
  var held = Held()
  var hasEnded = false

  init(_ head: Head, _ delivery: Delivery) { (self.head, self.delivery) = (head, delivery) }
}

extension HTTP2Layer {
  /// Keeps the answer to what the client has not asked yet, as far as anybody has seen.
  mutating func keep(_ head: Head, for stream: UInt32, _ delivery: Delivery) {
    // A second answer to the same is none.
    guard stream > lastRequest, answers[stream] == nil, !isMidstream,
      answers.count < limits.streams, toServer.value.hasBegun, toServer.value.search == nil,
      !toServer.value.headers.isLost
    else { return }
    answers[stream] = HTTP2Answer(head, delivery)
  }

  /// Keeps content of the server's that belongs to such an answer; says whether it did.
  mutating func keep(
    _ content: RawSpan, of stream: UInt32, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    guard delivery.origin.direction == .toClient, let answer = answers[stream] else { return false }
    if answer.held.cost + content.byteCount > limits.undecidedBytes {
      answers[stream] = nil
      drop(answer, listener)
      return false
    }
    answers[stream]!.held.append(content, delivery)
    return true
  }

  /// Something of the server's is missing: what stands behind it does not follow what is held.
  mutating func dropAnswers(_ listener: any Listener) {
    for answer in answers.values { drop(answer, listener) }
    answers.removeAll()
  }

  /// The request has come: its answer takes effect.
  mutating func answer(_ stream: UInt32, with answer: HTTP2Answer, _ listener: any Listener) {
    respond(answer.head, stream, answer.delivery, listener)
    if streams[stream] == nil { return drop(answer, listener) }
    for case .bytes(let range, let delivery) in answer.held.pieces {
      streams[stream]!.receive(answer.held.store.bytes[range], delivery, listener)
    }
    if answer.hasEnded { end(stream, answer.delivery, listener) }
  }

  /// The request has come, and asks for something else, or never will.
  func drop(_ answer: HTTP2Answer, _ listener: any Listener) {
    if answer.held.count > 0 { listener.account(.http, answer.held.count) }
  }
}
