// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reports control frames: CLOSE, PING, PONG (RFC 6455 §5.5).
enum ControlReporter {
  /// Link space for the keys of PINGs, apart from those of dialects.
  private static let pingSpace: UInt8 = 250

  /// Reports a complete control frame.
  static func report(
    _ frame: Half.Pending, _ payload: RawSpan, _ delivery: Delivery, _ half: inout Half,
    _ connection: inout Connection, _ listener: any Listener
  ) {
    let size = frame.header.size + Int(clamping: frame.header.length) - frame.missing
    let isWhole = frame.missing == 0 && UInt64(payload.byteCount) == frame.header.length
    let isFirstClose = frame.header.opcode == .close && !half.hasClosed
    if isFirstClose {
      half.hasClosed = true
      connection.reconsiderClosing(delivery)
    }
    let isClosing = isFirstClose && connection.closing == nil
    guard isWhole, frame.header.isKnown else {
      listener.account(.incomplete, size)
      if frame.header.isKnown {
        listener.finding(
          .messageIncomplete, .warning, delivery.origin,
          "a control frame of \(frame.header.length) bytes was not captured whole")
        if isClosing {
          connection.closing = Closing(by: delivery.origin.direction)
          connection.closing?.isEndMissed = true
        }
      }
      return
    }
    half.reported &+= size
    if half.reportsFrames {
      MessageReporter.framed(
        frame.header, wireBytes: size, from: frame.firstRecord, delivery, listener)
    }
    if frame.header.opcode != .close {
      half.keepAlive.note(
        PingRecord.Sent(key: key(of: payload), origin: delivery.origin),
        isPing: frame.header.opcode == .ping)
    }
    let isFine = report(
      frame.header.opcode, payload, delivery, connection.above, &connection.closing, listener)
    if isClosing { connection.noteClosing(delivery) }
    // Nobody has to answer a CLOSE that breaks the rules.
    if isFirstClose && isFine { half.closeTime = delivery.origin.time }
  }

  /// Reports the content of a control frame; false if it breaks the rules.
  @discardableResult
  static func report(
    _ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery, _ above: any Layer,
    _ closing: inout Closing?, _ listener: any Listener
  ) -> Bool {
    switch opcode {
    case .close: return close(payload, delivery, above, &closing, listener)
    case .ping: keepAlive("PING", .restarts, payload, delivery, listener)
    default: keepAlive("PONG", .answers, payload, delivery, listener)
    }
    return true
  }

  private static func keepAlive(
    _ name: StaticString, _ role: Link.Role, _ payload: RawSpan, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    var message = Message("websocket", Symbol(name), delivery.origin)
    // The lowest bit says who sent the PING: both sides may use the same payload.
    let pinger = role == .restarts ? delivery.origin.direction : delivery.origin.direction.reversed
    message.first = Link(
      role, "", key(of: payload) << 1 | (pinger == .toServer ? 1 : 0), space: pingSpace)
    message.payload = ByteRange(0, payload.byteCount)
    message.traits = .isControl
    listener.message(message, payload, Span())
  }

  /// RFC 6455 §5.5.3: a PONG carries the payload of the PING it answers, so that is the key.
  private static func key(of payload: RawSpan) -> UInt64 {
    var key: UInt64 = 0xCBF2_9CE4_8422_2325
    for at in 0..<payload.byteCount {
      key = (key ^ UInt64(payload.byte(at: at))) &* 0x100_0000_01B3
    }
    return key
  }

  private static func close(
    _ payload: RawSpan, _ delivery: Delivery, _ above: any Layer, _ closing: inout Closing?,
    _ listener: any Listener
  ) -> Bool {
    var message = Message("websocket", "CLOSE", delivery.origin)
    message.traits = .bodyInNotes
    var code: UInt16?
    var meaning: CloseMeaning?
    var trouble: (text: String, section: String)?
    var hidesReason = false
    if payload.byteCount >= 2 {
      let value = payload.uint16(at: 0)
      code = value
      message.first = Link(.shows, "code", UInt64(value), space: 0)
      meaning = CloseCode.isPrivate(value) ? above.meaning(ofClose: value) : nil
      message.about = meaning?.words ?? CloseCode.name(value)
      message.reason = ByteRange(2, payload.byteCount)
      hidesReason = !(1000...4999).contains(value)
      if !CloseCode.maySend(value) {
        trouble = (
          "the code \(value) must not be sent", CloseCode.isLocal(value) ? "§7.4.1" : "§7.4.2"
        )
      }
      if UTF8.firstInvalid(in: payload, from: 2) != nil {
        trouble = ("the reason of a CLOSE is not UTF-8", "§5.5.1")
        hidesReason = true
      }
    } else if payload.byteCount == 1 {
      trouble = ("a CLOSE with one byte has half a code", "§5.5.1")
    }
    var notes = ContiguousArray<Note>()
    if hidesReason && !message.reason.isEmpty {
      // After a gap, a frame that only looks like a CLOSE may be any bytes, even part of a login.
      notes.append(Note(.bulk, "withheld", message.reason))
    } else if !message.reason.isEmpty {
      // Servers write the token or the URL that they refuse.
      for range in URLCredentials.ranges(inText: payload[message.reason].copied()) {
        let start = message.reason.start
        let secret = ByteRange(start + range.lowerBound, start + range.upperBound)
        notes.append(Note(.secret, "credential", secret))
      }
    }
    listener.message(message, payload, notes.span)
    if let trouble {
      var finding = Finding(
        .badClose, .error, delivery.origin, trouble.text, isAboutLastMessage: true)
      finding.source = "RFC 6455 \(trouble.section)"
      listener.finding(finding)
    }
    if closing != nil { return trouble == nil }
    let reason = !hidesReason && payload.byteCount > 2 ? payload.dropping(2).copied() : []
    closing = Closing(by: delivery.origin.direction, code: code, reason: reason)
    closing?.hasFrame = true
    if let code, CloseCode.isFailure(code) || meaning != nil {
      let who = delivery.origin.direction == .toServer ? "client" : "server"
      let isToReconnect = meaning?.isToReconnect == true
      listener.remark(
        .closeFailure, isToReconnect ? .note : .warning, delivery.origin,
        "the \(who) ends the connection with the \(isToReconnect ? "code" : "failure")"
          + " \(code) (\(message.about))")
    }
    return trouble == nil
  }
}
