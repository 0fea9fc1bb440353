// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Field sections, GOAWAY and SETTINGS.
extension HTTP2Layer {
  /// HEADERS, PUSH_PROMISE or CONTINUATION (RFC 9113 §6.2, §6.6, §6.10).
  mutating func section(
    _ frame: HTTP2Frame, _ payload: RawSpan, _ half: Cell<HTTP2Half>, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    if half.value.mayBeFirst {
      half.value.mayBeFirst = false
      // RFC 9113 §5.1.1: a client's first stream is 1, so no section came before it.
      if frame.stream != 1 || frame.type == HTTP2Frame.Kind.continuation {
        loseHeaders(half, delivery, listener)
      }
    }
    half.value.hasFields = true
    if payload.byteCount < frame.length {
      half.value.block = nil
      return loseHeaders(half, delivery, listener)
    }
    if frame.type == HTTP2Frame.Kind.continuation {
      guard half.value.block != nil else {
        // Behind a loss, what it continues may be lost.
        if !half.value.headers.isLost {
          reportBad(frame, "continues no field section", delivery, listener)
        }
        return loseHeaders(half, delivery, listener)
      }
      half.value.block!.octets += payload.copied()
    } else {
      var start = 0
      var end = payload.byteCount
      if frame.has(HTTP2Frame.Flag.padded) && end > 0 {
        start = 1
        end -= Int(payload.byte(at: 0))
      }
      if frame.type == HTTP2Frame.Kind.pushPromise {
        start += 4
      } else if frame.has(HTTP2Frame.Flag.priority) {
        start += 5
      }
      guard start <= end else {
        reportBad(frame, "is all padding", delivery, listener)
        return loseHeaders(half, delivery, listener)
      }
      half.value.block = HTTP2Half.Block(
        stream: frame.stream, octets: payload.extracting(start..<end).copied(),
        endsStream: frame.has(HTTP2Frame.Flag.endStream)
          && frame.type == HTTP2Frame.Kind.headers,
        isPromise: frame.type == HTTP2Frame.Kind.pushPromise,
        room: Reservation(limits.unfinishedBytes))
    }
    let size = half.value.block!.octets.count
    let isWhole = frame.has(HTTP2Frame.Flag.endHeaders)
    if size > limits.headBytes || !isWhole && !half.value.block!.room.reserve(size) {
      half.value.block = nil
      return loseHeaders(
        half, delivery, listener, because: size > limits.headBytes ? nil : Reservation.shortage)
    }
    guard isWhole, let block = half.value.block else { return }
    half.value.block = nil
    finish(block, half, delivery, listener)
  }

  private mutating func finish(
    _ block: HTTP2Half.Block, _ half: Cell<HTTP2Half>, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    let wasLost = half.value.headers.isLost
    _ = half.value.headers.reserve()
    let fields = half.value.headers.fields(block.octets)
    if fields == nil && !wasLost {
      loseHeaders(half, delivery, listener, because: half.value.headers.obstacle)
    }
    if block.isPromise { return }
    let isUp = delivery.origin.direction == .toServer
    if let fields {
      if isUp {
        streams.request(fields, block.stream, delivery, listener)
      } else {
        streams.respond(fields, block.stream, delivery, listener)
      }
    } else if isUp {
      if !block.endsStream { streams.missRequest(block.stream, listener) }
    } else {
      streams.missAnswer(block.stream, delivery, listener)
    }
    if block.endsStream { streams.end(block.stream, delivery, listener) }
  }

  /// Field sections of this direction cannot be read any more.
  ///
  /// - Parameter reason: nil if fields were lost or broken.
  mutating func loseHeaders(
    _ half: Cell<HTTP2Half>, _ delivery: Delivery, _ listener: any Listener,
    because reason: String? = nil
  ) {
    half.value.headers.lose()
    if delivery.origin.direction == .toServer { streams.loseRequests(delivery, listener) }
    let who = delivery.origin.direction == .toServer ? "client" : "server"
    let reason = reason ?? "they refer to some that are lost or broken"
    reportOnce(
      .headersLost, .warning, delivery, listener,
      "\(opening.client) → \(opening.server): HTTP/2 fields of the \(who) can no longer be read,"
        + " as \(reason); new streams are recognised by the answers and"
        + " by what they carry")
  }

  /// GOAWAY (RFC 9113 §6.8).
  mutating func goAway(_ code: UInt32, _ delivery: Delivery, _ listener: any Listener) {
    if code == 0 { return }
    let who = delivery.origin.direction == .toServer ? "client" : "server"
    listener.finding(
      .goAway, .warning, delivery.origin,
      "\(opening.client) → \(opening.server): the \(who) ends the HTTP/2 connection with"
        + " GOAWAY \(HTTP2Error.name(code))")
  }

  /// SETTINGS (RFC 9113 §6.5.2): how large the other side's dynamic table may become.
  func settings(_ payload: RawSpan, _ delivery: Delivery) {
    var at = 0
    while at + 6 <= payload.byteCount {
      if payload.uint16(at: at) == 1 {
        other(delivery).value.headers.allow(payload.uint32(at: at + 2))
      }
      at += 6
    }
  }
}
