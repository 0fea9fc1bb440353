// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Frames of one direction, one after the other. Functions over what `Half` keeps, so that nothing
/// of the layer is accessed twice while the layer above is called.
enum FrameReader {
  /// Passes on every frame that is whole, and keeps what is left of the last one.
  ///
  /// - Parameter other: the half whose PINGs this side answers.
  static func walk(
    _ bytes: RawSpan, _ delivery: Delivery, _ half: inout Half, _ other: inout Half,
    _ above: inout any Layer, _ limits: FrameLimits, _ listener: any Listener
  ) {
    let count = bytes.byteCount
    var at = 0
    while !half.partial.isEmpty || half.pending != nil {
      if half.pending != nil {
        at = take(bytes, from: at, delivery, &half, &other, &above, limits, listener)
        if half.pending != nil { return }
        break
      }
      guard at < count else { return }
      if half.partial.isEmpty { half.partialRecord = delivery.origin.record }
      half.partial.append(bytes.byte(at: at))
      at &+= 1
      if half.partial.count == FrameHeader.size {
        let header = FrameHeader(half.partial.bytes, at: 0)
        half.partial.removeAll()
        check(header, at &- FrameHeader.size, delivery, &half, listener)
        half.pending = Half.Pending(header: header, firstRecord: half.partialRecord)
      }
    }
    while at < count {
      guard count &- at >= FrameHeader.size else {
        half.partialRecord = delivery.origin.record
        return half.partial.append(bytes.dropping(at))
      }
      let header = FrameHeader(bytes, at: at)
      check(header, at, delivery, &half, listener)
      let start = at &+ FrameHeader.size
      guard header.length <= count &- start, header.length <= limits.messageBytes else {
        half.pending = Half.Pending(header: header, firstRecord: delivery.origin.record)
        at = take(bytes, from: start, delivery, &half, &other, &above, limits, listener)
        continue
      }
      at = start &+ header.length
      var lent = delivery
      lent.origin.offset &+= UInt64(at)
      FrameTeller.whole(
        header, bytes.extracting(start..<at), lent, from: lent.origin.record, &half, &other,
        &above, limits, listener)
    }
  }

  /// Takes what is there of the pending frame's payload; answers the offset behind it.
  private static func take(
    _ bytes: RawSpan, from start: Int, _ delivery: Delivery, _ half: inout Half,
    _ other: inout Half, _ above: inout any Layer, _ limits: FrameLimits,
    _ listener: any Listener
  ) -> Int {
    let length = half.pending!.header.length
    let count = min(length &- half.pending!.passed, bytes.byteCount &- start)
    if length > limits.messageBytes {
      half.pending!.isTooLarge = true
    } else if half.pending!.missing == 0 && !half.pending!.hasNoRoom {
      half.payload.append(bytes.extracting(start..<start &+ count))
      if half.room?.reserve(half.payload.count) == false {
        half.pending!.hasNoRoom = true
        half.dropPayload()
      }
    }
    half.pending!.passed &+= count
    if half.pending!.passed == length {
      var lent = delivery
      lent.origin.offset &+= UInt64(start &+ count)
      end(lent, &half, &other, &above, limits, listener)
    }
    return start &+ count
  }

  /// The pending frame is complete.
  private static func end(
    _ delivery: Delivery, _ half: inout Half, _ other: inout Half, _ above: inout any Layer,
    _ limits: FrameLimits, _ listener: any Listener
  ) {
    let frame = half.pending!
    half.pending = nil
    if frame.isTooLarge || frame.hasNoRoom || frame.missing > 0 {
      half.dropPayload()
      return FrameTeller.broken(frame, delivery, &half, &above, listener)
    }
    // Lent from here: the half is busy.
    var payload = Scratch()
    swap(&payload, &half.payload)
    FrameTeller.whole(
      frame.header, payload.bytes, delivery, from: frame.firstRecord, &half, &other, &above,
      limits, listener)
    swap(&payload, &half.payload)
    half.dropPayload()
  }

  /// A gap: answers true when it lies within the pending frame, so that its end is still known.
  static func passOver(
    _ missing: Int, _ delivery: Delivery, _ half: inout Half, _ other: inout Half,
    _ above: inout any Layer, _ limits: FrameLimits, _ listener: any Listener
  ) -> Bool {
    guard let pending = half.pending, pending.header.length &- pending.passed >= missing
    else { return false }
    half.pending!.passed &+= missing
    half.pending!.missing &+= missing
    half.dropPayload()
    if half.pending!.passed == pending.header.length {
      end(delivery, &half, &other, &above, limits, listener)
    }
    return true
  }

  /// What has begun will not be completed: the framing is lost, or nothing more comes.
  static func abandon(_ delivery: Delivery, _ half: inout Half, _ listener: any Listener) {
    var captured = half.partial.count
    var missing = ""
    if let frame = half.pending {
      captured += FrameHeader.size + frame.passed - frame.missing
      missing = ", at least \(frame.header.length - frame.passed) are missing"
    }
    half.partial.removeAll()
    half.pending = nil
    half.dropPayload()
    if captured == 0 { return }
    listener.account(.incomplete, captured)
    var finding = Finding(
      .messageIncomplete, .warning, delivery.origin,
      "the end of a message was not captured: \(captured) bytes of it are there\(missing)")
    finding.lostMessages = 1
    listener.finding(finding)
  }

  /// The rules a header can break by itself.
  @inline(__always)
  private static func check(
    _ header: FrameHeader, _ at: Int, _ delivery: Delivery, _ half: inout Half,
    _ listener: any Listener
  ) {
    if header.first <= FrameHeader.Kind.pong && header.length <= half.mostOctets { return }
    report(header, at, delivery, &half, listener)
  }

  @inline(never)
  private static func report(
    _ header: FrameHeader, _ at: Int, _ delivery: Delivery, _ half: inout Half,
    _ listener: any Listener
  ) {
    var origin = delivery.origin
    // Negative when the header began in earlier bytes.
    origin.offset &+= UInt64(bitPattern: Int64(at))
    if header.hasReserved {
      listener.finding(
        Finding(
          .reservedBits, .error, origin,
          "reserved bits are set in the header of a frame: its first byte is "
            + "0x\(hexadecimal(header.first))"))
    }
    if !header.isKnown {
      listener.finding(
        Finding(
          .unknownType, .error, origin,
          "frame type \(header.kind) has no meaning; its \(header.length) bytes are not shown"))
    }
    if header.length > half.mostOctets {
      let receiver = delivery.origin.direction == .toServer ? "router" : "client"
      listener.finding(
        Finding(
          .oversize, .error, origin,
          "a frame of \(header.length) bytes, where the \(receiver) has announced to take"
            + " \(half.mostOctets) at most"))
    }
  }

  private static func hexadecimal(_ octet: UInt8) -> String {
    let digits = String(octet, radix: 16, uppercase: true)
    return octet < 16 ? "0" + digits : digits
  }
}
