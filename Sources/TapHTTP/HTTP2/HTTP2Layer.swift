// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// HTTP/2 (RFC 9113) as far as it leads to WebSocket by extended CONNECT (RFC 8441), or to bodies
/// that dialects read. Frames and field sections are read, and the DATA of each stream that a
/// server has accepted goes to a layer of its own. Other streams are only counted.
public struct HTTP2Layer: Layer {
  /// In cells, as their buffers are lent to this layer itself.
  let toServer: Cell<HTTP2Half>
  let toClient: Cell<HTTP2Half>
  /// What the connection carries.
  var streams: HTTP2Streams
  /// The highest stream number of any valid frame.
  var highestStream: UInt32 = 0
  /// The beginning of the connection was not captured.
  let isMidstream: Bool
  /// Findings that are reported once per connection.
  var reported: Set<String> = []
  let opening: Opening
  let limits: Limits

  /// - Parameters:
  ///   - opening: the stream that carries HTTP/2.
  ///   - isFromStart: whether the first byte of each side will be lent; otherwise the connection is
  ///     joined midway.
  ///   - flows: gives flow numbers to the conversations.
  ///   - reportsHeads: whether the fields of request and answer are reported with the opening.
  public init(
    _ opening: Opening, _ chooser: any Chooser, flows: FlowNumbers, limits: Limits,
    isFromStart: Bool = true, reportsHeads: Bool = false
  ) {
    (isMidstream, self.opening, self.limits) = (!isFromStart, opening, limits)
    toServer = Cell(HTTP2Half(isClient: true, limits: limits))
    toClient = Cell(HTTP2Half(isClient: false, limits: limits))
    streams = HTTP2Streams(
      toServer: toServer, toClient: toClient, isMidstream: isMidstream, opening: opening,
      chooser: chooser, flows: flows, limits: limits, reportsHeads: reportsHeads)
    if isMidstream {
      for half in [toServer, toClient] {
        (half.value.prefaceLeft, half.value.hasBegun) = (0, true)
        half.value.search = HTTP2Search(isNew: true, limits)
      }
    }
  }

  /// Stream 1 is a request of HTTP/1.1, with which the client asked for HTTP/2 (RFC 7540 §3.2).
  ///
  /// - Parameter reader: reads the answer, if anybody does.
  public mutating func inherit(_ reader: (any HTTPExchangeReader)?) {
    (streams.lastRequest, streams.inherited) = (1, reader)
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if streams.inherited != nil { streams.beginInherited(delivery, listener) }
    let half = half(delivery)
    if half.value.isForeign { return listener.account(.unread, bytes.byteCount) }
    reportMidstream(delivery, listener)
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
    if streams.inherited != nil { streams.beginInherited(delivery, listener) }
    if ending != .half || delivery.origin.direction == .toServer {
      endSearch(toServer, delivery, listener)
    }
    if ending != .half || delivery.origin.direction == .toClient {
      endSearch(toClient, delivery, listener)
    }
    streams.finish(ending, delivery, listener)
    if ending == .half { return }
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

  /// Skips the client's connection preface; if it differs, this is not HTTP/2.
  private func passPreface(
    _ bytes: RawSpan, _ half: Cell<HTTP2Half>, _ delivery: Delivery, _ listener: any Listener
  ) -> Int {
    let preface = HTTP2Preface.octets
    var at = 0
    while half.value.prefaceLeft > 0 && at < bytes.byteCount {
      let expected = preface.utf8Start[preface.utf8CodeUnitCount - half.value.prefaceLeft]
      if bytes.byte(at: at) != expected {
        reportForeign(half, delivery, listener)
        break
      }
      half.value.prefaceLeft -= 1
      at += 1
    }
    if at > 0 { listener.account(.http, at) }
    return at
  }

  /// Reports that the connection was recognised midway.
  mutating func reportMidstream(_ delivery: Delivery, _ listener: any Listener) {
    if !isMidstream || !reported.insert(Finding.Code.midstream.name).inserted { return }
    listener.finding(
      .midstream, .note, delivery.origin,
      "\(opening.client) → \(opening.server): HTTP/2 was recognised by its frames; which streams"
        + " carry WebSocket was negotiated before the capture; their content shows it")
  }

  func reportForeign(
    _ half: Cell<HTTP2Half>, _ delivery: Delivery, _ listener: any Listener
  ) {
    half.value.isForeign = true
    let who = delivery.origin.direction == .toServer ? "client" : "server"
    listener.finding(
      .badFrame, .error, delivery.origin,
      "what the \(who) begins with is no connection preface of HTTP/2; it is not read")
  }

  mutating func reportOnce(
    _ code: Finding.Code, _ severity: Finding.Severity, _ delivery: Delivery,
    _ listener: any Listener, _ text: String
  ) {
    let who = delivery.origin.direction == .toServer ? "client" : "server"
    if reported.insert(code.name + who).inserted {
      listener.finding(code, severity, delivery.origin, text)
    }
  }
}
