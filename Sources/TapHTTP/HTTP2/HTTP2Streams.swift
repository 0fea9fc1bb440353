// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The streams of an HTTP/2 connection that carry WebSocket, or are asked to, or whose bodies a
/// dialect reads.
struct HTTP2Streams {
  /// In cells, as their buffers are lent to the layer.
  let toServer: Cell<HTTP2Half>
  let toClient: Cell<HTTP2Half>
  var all: [UInt32: HTTP2Stream] = [:]
  /// Exchanges whose bodies a dialect reads, by their streams.
  var exchanges: [UInt32: HTTP2Exchange] = [:]
  /// The reader of the last of them, until requests cannot be read any more.
  var lastReader: (any HTTPExchangeReader)?
  /// Reads the answer on stream 1, whose request was one of HTTP/1.1, until anything comes.
  var inherited: (any HTTPExchangeReader)?
  /// The first FIN, or reset, of the connection.
  var firstEnd: Origin?
  /// Answers that came before their requests.
  var answers: [UInt32: HTTP2Answer] = [:]
  /// Streams whose request was captured, but cannot be read.
  var unread: Set<UInt32> = []
  /// The highest stream for which a request was read.
  var lastRequest: UInt32 = 0
  /// How many of `all` are judged by their content.
  var guesses = 0
  /// Streams whose request was read, if the connection was joined midway; they are not judged.
  var settled: Set<UInt32> = []
  var hasReportedTooMany = false
  /// The beginning of the connection was not captured.
  let isMidstream: Bool
  let opening: Opening
  let chooser: any Chooser
  let flows: FlowNumbers
  let limits: Limits
  let reportsHeads: Bool

  /// Content of a DATA frame.
  mutating func receive(
    _ content: RawSpan, of stream: UInt32, _ delivery: Delivery, _ listener: any Listener
  ) {
    if !exchanges.isEmpty, exchanges[stream] != nil {
      return exchanges[stream]!.receive(content, delivery, listener)
    }
    let isUp = delivery.origin.direction == .toServer
    // Content follows the answer, so the answer was lost in a gap.
    if !isUp, all[stream]?.isOpen == false { judge(stream, listener) }
    if all[stream] == nil, !answers.isEmpty, keep(content, of: stream, delivery, listener) {
      return
    }
    guard all[stream] != nil || guess(stream, listener) else {
      let headers = isUp ? toServer.value.headers : toClient.value.headers
      let isBlind = headers.isLost || isMidstream && !settled.contains(stream)
      return listener.account(isBlind ? .unread : .http, content.byteCount)
    }
    all[stream]!.receive(content, delivery, listener)
    drain(stream, delivery, listener)
  }

  /// Bytes of one direction are missing: any stream may have lost some.
  mutating func gap(_ delivery: Delivery, _ listener: any Listener) {
    for stream in all.keys.sorted() { all[stream]!.gap(nil, delivery, listener) }
    for stream in exchanges.keys.sorted() {
      let wasOver = exchanges[stream]!.isOver
      exchanges[stream]!.gap(nil, delivery, listener)
      // One whose answer was lost may still get content.
      let isUp = delivery.origin.direction == .toServer
      if isUp && !wasOver && exchanges[stream]!.isOver { exchanges[stream] = nil }
    }
  }

  /// Bytes of the content of a stream are missing.
  mutating func gap(
    _ missing: Int, of stream: UInt32, _ delivery: Delivery, _ listener: any Listener
  ) {
    all[stream]?.gap(missing, delivery, listener)
    exchanges[stream]?.gap(missing, delivery, listener)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    if firstEnd == nil && ending != .endOfEvidence { firstEnd = delivery.origin }
    if ending != .half {
      adoptAll(listener)
      let how: HTTPBodyEnd =
        firstEnd.map { .cutOff(by: $0.direction, at: $0.time) } ?? .unfinished
      for stream in exchanges.keys.sorted() { breakOff(stream, how, delivery, listener) }
    }
    var delivery = delivery
    delivery.edges.insert(.connection)
    for stream in all.keys.sorted() {
      if ending != .half { reportUnanswered(stream, ending, delivery, listener) }
      all[stream]!.finish(ending, delivery, listener)
      if ending != .half { forget(stream, listener) }
    }
    if ending != .half { dropAnswers(listener) }
  }

  /// A stream has ended, or will not become a conversation.
  mutating func forget(_ stream: UInt32, _ listener: any Listener) {
    guard let gone = all.removeValue(forKey: stream) else { return }
    if gone.isGuess { guesses -= 1 }
    if !gone.isOpen && gone.held.count > 0 { listener.account(.unread, gone.held.count) }
    flows.give(gone.flow)
  }

  /// Bounds what waits for an answer; beyond that, the stream is judged by its content.
  private mutating func drain(
    _ stream: UInt32, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let asked = all[stream], !asked.isOpen,
      asked.held.cost > limits.undecidedBytes || !all[stream]!.held.reserve()
    else { return }
    let url = String(decoding: asked.upgrade?.url ?? [], as: Unicode.UTF8.self)
    listener.finding(
      .answerLate, .warning, delivery.origin,
      "\(opening.client) asked \(url) for WebSocket on stream \(stream), and"
        + " \(asked.held.count) bytes came ahead of an answer")
    judge(stream, listener)
  }
}
