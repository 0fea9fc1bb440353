// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInflate
import TapTraffic

/// Decodes the frames of one direction. Static functions over `Half`, so that Swift does not see
/// overlapping accesses to the layer while the layer above is called.
enum FrameDecoder {
  /// Passes on every complete frame, and keeps what there is of the last one.
  static func walk(
    _ bytes: RawSpan, _ delivery: Delivery, _ half: inout Half, _ connection: inout Connection,
    _ listener: any Listener
  ) {
    if half.isOver { return listener.account(.unread, bytes.byteCount) }
    var at = 0
    if half.pending != nil || !half.partial.isEmpty {
      at = continueMessage(bytes, delivery, &half, &connection, listener)
    }
    let count = bytes.byteCount
    while at < count {
      let next = usual(bytes, at, delivery, &half, &connection, listener)
      if next > at {
        at = next
        continue
      }
      guard let header = FrameHeader.parse(bytes, at: at) else {
        half.partial.append(bytes.dropping(at))
        half.partialRecord = delivery.origin.record
        break
      }
      if half.hasClosed, ended(header, at, count, delivery, &half, listener) { return }
      check(header, at, delivery, &half, listener)
      let start = at &+ header.size
      guard header.length <= UInt64(count &- start) else {
        begin(header, delivery, from: delivery.origin.record, &half, &connection, listener)
        at = take(bytes, from: start, delivery, &half, &connection, listener)
        break
      }
      let end = start &+ Int(truncatingIfNeeded: header.length)
      let payload = bytes.extracting(start..<end)
      // The common case: one frame, one message, nothing to assemble or inflate.
      if header.isWholeMessage, half.assembly == nil,
        payload.byteCount <= connection.limits.messageBytes
      {
        half.seen.messages &+= 1
        half.seen.bytes &+= end &- at
        half.reported &+= end &- at
        var lent = delivery
        lent.origin.offset &+= UInt64(at)
        lent.kind = header.opcode == .text ? .text : .binary
        if half.reportsFrames {
          MessageReporter.framed(
            header, wireBytes: end &- at, from: delivery.origin.record, lent, listener)
        }
        if header.isMasked {
          half.plain.value.removeAll()
          half.plain.value.append(payload, unmaskedWith: header.key, phase: 0)
          MessageReporter.pass(half.plain.value.bytes, lent, &connection.above, listener)
        } else {
          MessageReporter.pass(payload, lent, &connection.above, listener)
        }
      } else if header.isControl && payload.byteCount <= Half.mostControl {
        var lent = delivery
        lent.origin.offset &+= UInt64(end)
        control(header, payload, lent, &half, &connection, listener)
      } else {
        begin(header, delivery, from: delivery.origin.record, &half, &connection, listener)
        _ = take(bytes.extracting(0..<end), from: start, delivery, &half, &connection, listener)
      }
      at = end
    }
  }

  /// Whether the frames of this side have ended: what is of no frame behind its CLOSE is not shown.
  /// `at` is negative when the header began in earlier bytes.
  @inline(never)
  private static func ended(
    _ header: FrameHeader, _ at: Int, _ count: Int, _ delivery: Delivery, _ half: inout Half,
    _ listener: any Listener
  ) -> Bool {
    guard half.isNoFrame(header) else { return false }
    abandon(delivery, &half, listener)
    half.isOver = true
    let who = delivery.origin.direction == .toServer ? "client" : "server"
    let text = "behind its CLOSE, the \(who) sends something that is no frame; it is not shown"
    listener.finding(.dataAfterClose, .error, origin(delivery, at), text)
    listener.account(.unread, count &- at)
    return true
  }

  /// A control frame that is complete in the lent bytes.
  @inline(never)
  private static func control(
    _ header: FrameHeader, _ payload: RawSpan, _ delivery: Delivery, _ half: inout Half,
    _ connection: inout Connection, _ listener: any Listener
  ) {
    let frame = Half.Pending(
      header: header, passed: header.length, firstRecord: delivery.origin.record)
    if !header.isMasked {
      return ControlReporter.report(frame, payload, delivery, &half, &connection, listener)
    }
    let plain = half.plain
    plain.value.removeAll()
    plain.value.append(payload, unmaskedWith: header.key, phase: 0)
    ControlReporter.report(frame, plain.value.bytes, delivery, &half, &connection, listener)
  }

  /// The fast path for nearly every frame: a complete message of less than 64 KiB that breaks no
  /// rule. Returns the offset after it, or `at` if it is anything else; nothing was done then.
  @inline(__always)
  private static func usual(
    _ bytes: RawSpan, _ at: Int, _ delivery: Delivery, _ half: inout Half,
    _ connection: inout Connection, _ listener: any Listener
  ) -> Int {
    guard at &+ 8 <= bytes.byteCount, half.assembly == nil, !half.hasClosed, !half.reportsFrames
    else { return at }
    let word = bytes.word(unchecked: at)
    let first = UInt8(truncatingIfNeeded: word)
    let isMasked = word & 0x8000 != 0
    guard first == FrameHeader.text || first == FrameHeader.binary, half.masks == isMasked else {
      return at
    }
    var length = Int(truncatingIfNeeded: word >> 8 & 0x7F)
    var start = at &+ 2
    var key = UInt32(truncatingIfNeeded: word >> 16)
    if length > 125 {
      length = Int(UInt16(truncatingIfNeeded: word >> 16).byteSwapped)
      // Leaves longer payloads, and lengths that take more bytes than needed, to the slow path.
      guard word >> 8 & 0x7F == 126, length > 125 else { return at }
      start &+= 2
      key = UInt32(truncatingIfNeeded: word >> 32)
    }
    if isMasked { start &+= 4 }
    let end = start &+ length
    guard end <= bytes.byteCount, length <= connection.limits.messageBytes else { return at }
    half.seen.messages &+= 1
    half.seen.bytes &+= end &- at
    half.reported &+= end &- at
    var lent = delivery
    lent.origin.offset &+= UInt64(at)
    lent.kind = first == FrameHeader.text ? .text : .binary
    let payload = bytes.extracting(start..<end)
    if isMasked {
      if half.maskingKeys.note(key) { listener.finding(half.maskingKeys.finding(lent.origin)) }
      half.plain.value.removeAll()
      half.plain.value.append(payload, unmaskedWith: key, phase: 0)
      MessageReporter.pass(half.plain.value.bytes, lent, &connection.above, listener)
    } else {
      MessageReporter.pass(payload, lent, &connection.above, listener)
    }
    return end
  }

  /// Completes a header or a payload that began in earlier bytes; returns the offset reached.
  private static func continueMessage(
    _ bytes: RawSpan, _ delivery: Delivery, _ half: inout Half, _ connection: inout Connection,
    _ listener: any Listener
  ) -> Int {
    var at = 0
    while half.pending == nil {
      guard at < bytes.byteCount else { return at }
      half.partial.append(bytes.byte(at: at))
      at &+= 1
      if let header = FrameHeader.parse(half.partial.bytes, at: 0) {
        half.partial.removeAll()
        let (start, count) = (at &- header.size, bytes.byteCount)
        if half.hasClosed, ended(header, start, count, delivery, &half, listener) { return count }
        check(header, start, delivery, &half, listener)
        begin(header, delivery, from: half.partialRecord, &half, &connection, listener)
      }
    }
    return take(bytes, from: at, delivery, &half, &connection, listener)
  }

  /// A frame header was read: begins a message if the frame does.
  ///
  /// - Parameter record: the packet in which the header began.
  private static func begin(
    _ header: FrameHeader, _ delivery: Delivery, from record: UInt64, _ half: inout Half,
    _ connection: inout Connection, _ listener: any Listener
  ) {
    half.pending = Half.Pending(header: header, firstRecord: record)
    if header.isControl { return }
    if header.opcode == .continuation {
      if half.assembly == nil {
        // After a gap, the first fragment may be lost in it; otherwise there was none.
        if !half.mayContinue {
          listener.finding(
            .unexpectedContinuation, .error, delivery.origin,
            "a continuation frame, but no message has begun; its bytes are not shown")
        }
        half.assembly = Half.Assembly(
          opcode: .continuation, isCompressed: false,
          trouble: half.mayContinue ? .incomplete : .unfounded)
      }
    } else {
      if half.assembly != nil {
        listener.finding(
          .interruptedMessage, .error, delivery.origin,
          "a new message begins before the fragments of the last one are complete")
        MessageReporter.drop(delivery, &half, &connection.above, listener)
      }
      half.seenBeforeGap = nil
      half.assembly = Half.Assembly(
        opcode: header.opcode, isCompressed: header.isCompressed && half.mayCompress,
        isUnagreed: header.isCompressed && !half.mayCompress)
    }
    if half.assembly!.frames == 0 { half.assembly!.firstRecord = record }
    half.assembly!.frames &+= 1
    (half.assembly!.isMasked, half.assembly!.key) = (header.isMasked, header.key)
    half.assembly!.wireLength &+= header.size
  }

  /// Takes the next bytes of the pending frame's payload; returns the offset after them.
  private static func take(
    _ bytes: RawSpan, from start: Int, _ delivery: Delivery, _ half: inout Half,
    _ connection: inout Connection, _ listener: any Listener
  ) -> Int {
    let header = half.pending!.header
    let left = header.length &- half.pending!.passed
    let count = Int(truncatingIfNeeded: min(left, UInt64(bytes.byteCount &- start)))
    let payload = bytes.extracting(start..<start &+ count)
    let phase = Int(truncatingIfNeeded: half.pending!.passed & 3)
    if header.isControl {
      if half.control.count &+ count <= Half.mostControl {
        half.control.append(payload, unmaskedWith: header.isMasked ? header.key : 0, phase: phase)
      }
    } else {
      half.assembly!.wireLength &+= count
      half.assembly!.payloadLength &+= count
      MessageReporter.add(payload, header, phase, &half, connection.limits)
    }
    half.pending!.passed &+= UInt64(count)
    if half.pending!.isAwaited { connection.above.hear(delivery, listener) }
    if half.pending!.passed == header.length {
      var lent = delivery
      lent.origin.offset &+= UInt64(start &+ count)
      end(lent, &half, &connection, listener)
    }
    return start &+ count
  }

  /// The pending frame is complete.
  private static func end(
    _ delivery: Delivery, _ half: inout Half, _ connection: inout Connection,
    _ listener: any Listener
  ) {
    let frame = half.pending!
    half.pending = nil
    if frame.header.isControl {
      let payload = half.control
      half.control = Scratch()
      ControlReporter.report(frame, payload.bytes, delivery, &half, &connection, listener)
    } else if frame.header.isFinal {
      MessageReporter.message(delivery, &half, &connection, listener)
    }
  }

  /// Handles a gap; true when it lies within the pending frame, so that the frame's end is still
  /// known.
  static func passOver(
    _ missing: Int, _ delivery: Delivery, _ half: inout Half, _ connection: inout Connection,
    _ listener: any Listener
  ) -> Bool {
    guard half.pending != nil,
      half.pending!.header.length &- half.pending!.passed >= UInt64(missing)
    else { return false }
    half.pending!.passed &+= UInt64(missing)
    half.pending!.missing &+= missing
    if !half.pending!.header.isControl {
      half.assembly!.missing &+= missing
      half.assembly!.trouble = .incomplete
      half.dropText()
    }
    if half.pending!.passed == half.pending!.header.length {
      end(delivery, &half, &connection, listener)
    }
    return true
  }

  /// Gives up what has begun: frame boundaries are lost, or no more bytes come.
  static func abandon(_ delivery: Delivery, _ half: inout Half, _ listener: any Listener) {
    var captured = half.partial.count
    var isMessage = false
    var left: UInt64?
    if let frame = half.pending {
      left = frame.header.length - frame.passed
      if frame.header.isControl {
        captured += frame.header.size + Int(clamping: frame.passed) - frame.missing
      }
    }
    if let assembly = half.assembly {
      captured += assembly.wireLength
      isMessage = true
    }
    half.partial.removeAll()
    half.pending = nil
    half.assembly = nil
    half.dropText()
    half.control.removeAll()
    if half.mayCompress || half.hasInflated { half.decompression.value.loseContext() }
    if captured == 0 { return }
    listener.account(.incomplete, captured)
    let missing = left.map { ", at least \($0) \($0 == 1 ? "is" : "are") missing" } ?? ""
    let present = captured == 1 ? "1 byte of it is" : "\(captured) bytes of it are"
    var finding = Finding(
      .messageIncomplete, .warning, delivery.origin,
      "the end of a message was not captured: \(present) there\(missing)")
    finding.lostMessages = isMessage || left == nil ? 1 : 0
    listener.finding(finding)
  }

  /// Checks the rules that a header can break by itself.
  @inline(__always)
  private static func check(
    _ header: FrameHeader, _ at: Int, _ delivery: Delivery, _ half: inout Half,
    _ listener: any Listener
  ) {
    if header.isMasked && half.maskingKeys.note(header.key) {
      listener.finding(half.maskingKeys.finding(origin(delivery, at)))
    }
    let isExpected = header.isWholeMessage || header.first == FrameHeader.lastPiece
    if isExpected && header.isMasked == half.masks && !header.isPadded
      && header.length >> 63 == 0 && !half.hasClosed
    {
      return
    }
    report(header, at, delivery, &half, listener)
  }

  /// - Parameter at: offset of the frame; negative when it began in earlier bytes.
  private static func origin(_ delivery: Delivery, _ at: Int) -> Origin {
    var origin = delivery.origin
    origin.offset &+= UInt64(bitPattern: Int64(at))
    return origin
  }

  @inline(never)
  private static func report(
    _ header: FrameHeader, _ at: Int, _ delivery: Delivery, _ half: inout Half,
    _ listener: any Listener
  ) {
    let origin = origin(delivery, at)
    func report(_ code: Finding.Code, _ text: String) {
      listener.finding(code, .error, origin, text)
    }
    if header.reserved != 0 && !half.isExtended { reportReserved(header, origin, &half, listener) }
    if !header.isKnown { report(.unknownOpcode, "opcode \(header.opcode.rawValue) has no meaning") }
    if header.isMasked != half.masks, let masks = half.masks {
      if masks {
        report(.unmaskedClientFrame, "a frame from the client is not masked")
      } else {
        report(.maskedServerFrame, "a frame from the server is masked")
      }
    }
    if header.isControl && (header.length > 125 || !header.isFinal) {
      report(
        .badControlFrame,
        header.isFinal
          ? "a control frame of \(header.length) bytes; 125 are allowed"
          : "a control frame is fragmented")
    }
    if header.length >> 63 != 0 {
      report(.badLength, "the length of a frame has its highest bit set")
    } else if header.isPadded && !half.reportedPadding {
      half.reportedPadding = true
      report(.badLength, "the length \(header.length) is written in more bytes than it needs")
    }
    if half.hasClosed && !header.isControl {
      report(.dataAfterClose, "data after the sender's own CLOSE")
    }
  }

  /// Reports reserved bits (RFC 6455 §5.2; RFC 7692 §6.1 for RSV1).
  private static func reportReserved(
    _ header: FrameHeader, _ origin: Origin, _ half: inout Half, _ listener: any Listener
  ) {
    var finding = Finding(.reservedBits, .error, origin, "")
    if header.reserved & 0x30 != 0 {
      finding.text = "reserved bits are set that no negotiated extension uses"
      finding.source = "RFC 6455 §5.2"
    } else if half.mayCompress {
      if !header.isControl && header.opcode != .continuation { return }
      finding.text =
        header.isControl
        ? "RSV1 is set in a control frame, which is never compressed"
        : "RSV1 is set in a continuation frame; only the first frame of a message has it"
      finding.source = "RFC 7692 §6.1"
    } else {
      if half.reportedCompression { return }
      half.reportedCompression = true
      finding.text =
        "RSV1 is set, as in frames that are compressed, but no extension was negotiated; where"
        + " they inflate, they are shown inflated"
      finding.source = "RFC 6455 §5.2"
    }
    listener.finding(finding)
  }
}
