// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// HTTP/2 (RFC 9113) as far as it leads to WebSocket by extended CONNECT (RFC 8441). Frames and
/// field sections are read, and the DATA of each stream that a server has accepted goes to a layer
/// of its own. Other streams are only counted.
public struct HTTP2Layer: Layer {
  /// In cells, as their buffers are lent to this layer itself.
  let toServer: Cell<HTTP2Half>
  let toClient: Cell<HTTP2Half>
  /// Streams that carry WebSocket, or are asked to.
  var streams: [UInt32: HTTP2Stream] = [:]
  /// Answers that came before their requests.
  var answers: [UInt32: HTTP2Answer] = [:]
  /// Streams whose request was captured, but cannot be read.
  var unread: Set<UInt32> = []
  /// The highest stream for which a request was read.
  var lastRequest: UInt32 = 0
  /// The highest stream number of any valid frame.
  var highestStream: UInt32 = 0
  /// How many of `streams` are judged by their content.
  var guesses = 0
  /// Streams whose request was read, if the connection was joined midway; they are not judged.
  var settled: Set<UInt32> = []
  /// The beginning of the connection was not captured.
  let isMidstream: Bool
  /// Findings that are told once per connection.
  var told: Set<String> = []
  let opening: Opening
  let chooser: any Chooser
  let flows: FlowNumbers
  let limits: Limits
  let tellsHeads: Bool

  /// - Parameters:
  ///   - opening: the stream that carries HTTP/2.
  ///   - isFromStart: whether the first byte of each side will be lent; otherwise the connection is
  ///     joined midway.
  ///   - flows: gives flow numbers to the conversations.
  ///   - tellsHeads: whether the fields of request and answer are told with the opening.
  public init(
    _ opening: Opening, _ chooser: any Chooser, flows: FlowNumbers, limits: Limits,
    isFromStart: Bool = true, tellsHeads: Bool = false
  ) {
    isMidstream = !isFromStart
    (self.opening, self.chooser, self.flows) = (opening, chooser, flows)
    (self.limits, self.tellsHeads) = (limits, tellsHeads)
    toServer = Cell(HTTP2Half(isClient: true, limits: limits))
    toClient = Cell(HTTP2Half(isClient: false, limits: limits))
    if isMidstream {
      for half in [toServer, toClient] {
        (half.value.prefaceLeft, half.value.hasBegun) = (0, true)
        half.value.search = HTTP2Search(isNew: true, limits)
      }
    }
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    let half = half(delivery)
    if half.value.isForeign { return listener.account(.unread, bytes.byteCount) }
    tellMidstream(delivery, listener)
    if half.value.search != nil { return search(bytes, half, delivery, listener) }
    var at = passPreface(bytes, half, delivery, listener)
    while at < bytes.byteCount {
      if half.value.isForeign { return listener.account(.unread, bytes.byteCount - at) }
      if half.value.pending != nil {
        at = content(bytes, from: at, half, delivery, listener)
      } else if half.value.skipping > 0 {
        let count = min(half.value.skipping, bytes.byteCount - at)
        half.value.skipping -= count
        listener.account(.http, count)
        at += count
      } else {
        at = frame(bytes, from: at, half, delivery, listener)
      }
    }
  }

  public mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    if ending != .half || delivery.origin.direction == .toServer {
      endSearch(toServer, delivery, listener)
    }
    if ending != .half || delivery.origin.direction == .toClient {
      endSearch(toClient, delivery, listener)
    }
    if ending != .half { adoptAll(delivery, listener) }
    for stream in streams.keys.sorted() {
      if ending != .half { tellUnanswered(stream, ending, delivery, listener) }
      streams[stream]!.finish(ending, delivery, listener)
      if ending != .half { forget(stream, listener) }
    }
    if ending == .half { return }
    dropAnswers(listener)
    for half in [toServer, toClient] where !half.value.carry.isEmpty {
      listener.account(.incomplete, half.value.carry.count)
      half.value.carry.removeAll()
    }
  }

  func half(_ delivery: Delivery) -> Cell<HTTP2Half> {
    delivery.origin.direction == .toServer ? toServer : toClient
  }

  func other(_ delivery: Delivery) -> Cell<HTTP2Half> {
    delivery.origin.direction == .toServer ? toClient : toServer
  }

  /// A stream has ended, or will not become a conversation.
  mutating func forget(_ stream: UInt32, _ listener: any Listener) {
    guard let gone = streams.removeValue(forKey: stream) else { return }
    if gone.isGuess { guesses -= 1 }
    if !gone.isOpen && gone.held.count > 0 { listener.account(.unread, gone.held.count) }
    flows.give(gone.flow)
  }

  /// Skips the client's connection preface; if it differs, this is not HTTP/2.
  private func passPreface(
    _ bytes: RawSpan, _ half: Cell<HTTP2Half>, _ delivery: Delivery, _ listener: any Listener
  ) -> Int {
    let preface = HTTP2Preface.octets
    var at = 0
    while half.value.prefaceLeft > 0 && at < bytes.byteCount {
      let expected = preface.utf8Start[preface.utf8CodeUnitCount - half.value.prefaceLeft]
      if bytes.byte(at: at) != expected {
        tellForeign(half, delivery, listener)
        break
      }
      half.value.prefaceLeft -= 1
      at += 1
    }
    if at > 0 { listener.account(.http, at) }
    return at
  }

  func tellForeign(
    _ half: Cell<HTTP2Half>, _ delivery: Delivery, _ listener: any Listener
  ) {
    half.value.isForeign = true
    let who = delivery.origin.direction == .toServer ? "client" : "server"
    listener.finding(
      Finding(
        .badFrame, .error, delivery.origin,
        "what the \(who) begins with is no connection preface of HTTP/2; it is not read"))
  }

  mutating func tellOnce(
    _ code: Finding.Code, _ severity: Finding.Severity, _ delivery: Delivery,
    _ listener: any Listener, _ text: String
  ) {
    let who = delivery.origin.direction == .toServer ? "client" : "server"
    if told.insert(code.name + who).inserted {
      listener.finding(Finding(code, severity, delivery.origin, text))
    }
  }
}
