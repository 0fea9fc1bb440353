// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// From bytes to frames.
extension HTTP2Layer {
  /// Handles the next frame, or holds what there is of it; returns the offset reached.
  mutating func frame(
    _ bytes: RawSpan, from start: Int, _ half: Cell<HTTP2Half>, _ delivery: Delivery,
    _ listener: any Listener
  ) -> Int {
    if half.value.carry.isEmpty {
      if let frame = HTTP2Frame.parse(bytes, at: start) {
        let end = start + needed(frame)
        if end <= bytes.byteCount {
          let payload = bytes.extracting(start + HTTP2Frame.headerSize..<end)
          act(on: frame, payload, half, delivery, listener)
          return end
        }
      }
      let rest = bytes.dropping(start)
      if half.value.room.reserve(rest.byteCount) {
        half.value.carry.append(rest)
      } else {
        giveUp(rest, half, delivery, listener)
      }
      return bytes.byteCount
    }
    var at = start
    while true {
      let frame = HTTP2Frame.parse(half.value.carry.bytes, at: 0)
      let missing = (frame.map(needed) ?? HTTP2Frame.headerSize) - half.value.carry.count
      if missing == 0, let frame {
        let payload = half.value.carry.bytes.dropping(HTTP2Frame.headerSize)
        act(on: frame, payload, half, delivery, listener)
        half.value.carry.removeAll()
        if !half.value.room.tryToKeep(half.value.carry.capacity) {
          half.value.carry.shrink(above: 0)
        }
        return at
      }
      let part = bytes.extracting(at..<min(at + missing, bytes.byteCount))
      if !half.value.room.reserve(half.value.carry.count + part.byteCount) {
        giveUp(bytes.dropping(at), half, delivery, listener)
        return bytes.byteCount
      }
      half.value.carry.append(part)
      at += part.byteCount
      if part.byteCount < missing { return at }
    }
  }

  /// There is no room to hold the beginning of a frame, so it counts as missing.
  private mutating func giveUp(
    _ bytes: RawSpan, _ half: Cell<HTTP2Half>, _ delivery: Delivery, _ listener: any Listener
  ) {
    reportOnce(
      .framingLost, .warning, delivery, listener,
      "\(opening.client) → \(opening.server): an HTTP/2 frame is given up, "
        + "as \(Reservation.shortage)"
    )
    listener.account(.incomplete, bytes.byteCount)
    gap(bytes.byteCount, delivery, listener)
    half.value.carry.shrink(above: 0)
    half.value.room.giveBack()
  }

  /// How many bytes of a frame have to be there to handle it, header included.
  private func needed(_ frame: HTTP2Frame) -> Int {
    switch frame.type {
    case HTTP2Frame.Kind.data:
      return HTTP2Frame.headerSize + (frame.has(HTTP2Frame.Flag.padded) ? min(frame.length, 1) : 0)
    case HTTP2Frame.Kind.headers, HTTP2Frame.Kind.continuation, HTTP2Frame.Kind.pushPromise,
      HTTP2Frame.Kind.settings, HTTP2Frame.Kind.reset, HTTP2Frame.Kind.goAway:
      return HTTP2Frame.headerSize + (frame.length <= limits.headBytes ? frame.length : 0)
    default: return HTTP2Frame.headerSize
    }
  }

  /// - Parameter payload: the part of the payload that `needed` asks for.
  private mutating func act(
    on frame: HTTP2Frame, _ payload: RawSpan, _ half: Cell<HTTP2Half>, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    if !half.value.hasBegun {
      // RFC 9113 §3.4: each side begins with SETTINGS.
      guard frame.type == HTTP2Frame.Kind.settings, frame.isRegular else {
        listener.account(.http, HTTP2Frame.headerSize + payload.byteCount)
        return reportForeign(half, delivery, listener)
      }
      half.value.hasBegun = true
    }
    listener.account(.http, HTTP2Frame.headerSize + payload.byteCount)
    if frame.type != HTTP2Frame.Kind.data {
      half.value.skipping = frame.length - payload.byteCount
    }
    if !frame.isRegular {
      reportBad(frame, "is against the rules for its length or its stream", delivery, listener)
      half.value.skipping = frame.length - payload.byteCount
      return
    }
    highestStream = max(highestStream, frame.stream)
    if let block = half.value.block,
      frame.type != HTTP2Frame.Kind.continuation || frame.stream != block.stream
    {
      // RFC 9113 §6.10.
      reportBad(frame, "stands between the parts of a field section", delivery, listener)
      half.value.block = nil
      loseHeaders(half, delivery, listener)
    }
    switch frame.type {
    case HTTP2Frame.Kind.data: begin(frame, payload, half, delivery, listener)
    case HTTP2Frame.Kind.headers, HTTP2Frame.Kind.pushPromise, HTTP2Frame.Kind.continuation:
      section(frame, payload, half, delivery, listener)
    case HTTP2Frame.Kind.settings: settings(payload, delivery)
    case HTTP2Frame.Kind.reset:
      streams.reset(frame.stream, code: payload.uint32(at: 0), delivery, listener)
    case HTTP2Frame.Kind.goAway where payload.byteCount >= 8:
      goAway(payload.uint32(at: 4), delivery, listener)
    default: break
    }
  }

  func reportBad(
    _ frame: HTTP2Frame, _ what: String, _ delivery: Delivery, _ listener: any Listener
  ) {
    listener.finding(
      .badFrame, .error, delivery.origin,
      "an HTTP/2 frame of type \(frame.type) and \(frame.length) bytes on stream"
        + " \(frame.stream) \(what)")
  }

  /// The header of a DATA frame (RFC 9113 §6.1).
  private mutating func begin(
    _ frame: HTTP2Frame, _ payload: RawSpan, _ half: Cell<HTTP2Half>, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    let padding = payload.isEmpty ? 0 : Int(payload.byte(at: 0))
    let left = frame.length - payload.byteCount - padding
    if left < 0 {
      reportBad(frame, "is all padding", delivery, listener)
      half.value.skipping = frame.length - payload.byteCount
      return
    }
    half.value.pending = HTTP2Half.Pending(
      stream: frame.stream, left: left, padding: padding,
      endsStream: frame.has(HTTP2Frame.Flag.endStream))
    if left + padding == 0 { endData(half, delivery, listener) }
  }

  /// Handles the next bytes of a DATA frame's payload; returns the offset reached.
  mutating func content(
    _ bytes: RawSpan, from start: Int, _ half: Cell<HTTP2Half>, _ delivery: Delivery,
    _ listener: any Listener
  ) -> Int {
    let stream = half.value.pending!.stream
    var at = start
    let count = min(half.value.pending!.left, bytes.byteCount - at)
    if count > 0 {
      let isStart = !half.value.pending!.hasBegun
      half.value.pending!.hasBegun = true
      half.value.pending!.left -= count
      let content = bytes.extracting(at..<at + count)
      at += count
      if half.value.mayBeFirst && streams.all[stream] == nil {
        // The request was lost in the gap.
        half.value.mayBeFirst = false
        loseHeaders(half, delivery, listener)
      }
      // Senders put what they write at once into one frame, so frames count like segments.
      var lent = delivery
      lent.edges = isStart ? .start : []
      if half.value.pending!.left == 0 { lent.edges.insert(.end) }
      streams.receive(content, of: stream, lent, listener)
    }
    let padding = min(half.value.pending!.padding, bytes.byteCount - at)
    if half.value.pending!.left == 0 && padding > 0 {
      half.value.pending!.padding -= padding
      listener.account(.http, padding)
      at += padding
    }
    if half.value.pending!.left == 0 && half.value.pending!.padding == 0 {
      endData(half, delivery, listener)
    }
    return at
  }

  private mutating func endData(
    _ half: Cell<HTTP2Half>, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let pending = half.value.pending else { return }
    half.value.pending = nil
    if pending.endsStream { streams.end(pending.stream, delivery, listener) }
  }
}
