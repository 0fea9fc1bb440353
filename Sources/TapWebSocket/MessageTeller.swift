// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInflate
import TapTraffic

/// Frames joined to messages: inflates, checks the text, passes data up and tells control frames.
enum MessageTeller {
  /// Keys of PING payloads are kept apart from those of dialects.
  private static let pingSpace: UInt8 = 250

  /// A whole message, ready to be read.
  @inline(__always)
  static func pass(
    _ bytes: RawSpan, _ delivery: Delivery, _ above: inout any Layer, _ listener: any Listener
  ) {
    if delivery.kind == .text, let at = UTF8.firstInvalid(in: bytes) {
      var broken = delivery
      broken.kind = .brokenText
      above.receive(bytes, broken, listener)
      listener.finding(
        Finding(
          .invalidUTF8, .error, delivery.origin,
          "a text message is not UTF-8 from its byte \(at) on", isAboutLastMessage: true))
      return
    }
    above.receive(bytes, delivery, listener)
  }

  /// Tells how the message that comes next was carried: in one frame.
  @inline(never)
  static func framed(
    _ header: FrameHeader, wireBytes: Int, from record: UInt64, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    listener.framed(
      Framing(
        opcode: header.opcode, isFinal: header.isFinal, isMasked: header.isMasked,
        key: header.key, wireBytes: wireBytes, firstRecord: record, delivery.origin))
  }

  /// Adds a piece of payload to the message that is being put together.
  static func add(
    _ payload: RawSpan, _ header: FrameHeader, _ phase: Int, _ half: inout Half,
    _ limits: FrameLimits
  ) {
    let assembly = half.assembly!
    if assembly.isCompressed {
      // Even a message that cannot be told is inflated, for those that refer to it; one with a
      // hole is not, and ends what is known of the context.
      guard assembly.missing == 0, assembly.trouble != .contextLost,
        assembly.trouble != .contextBroken, assembly.trouble != .corrupt,
        assembly.trouble != .noRoom
      else { return }
      if assembly.trouble == .tooLarge {
        // Each octet may stand for a thousand: what later messages refer to is not worth that.
        if assembly.inVain > limits.messageBytes / 64 { return }
        half.assembly!.inVain &+= payload.byteCount
      }
      half.plain.removeAll()
      half.plain.append(payload, unmaskedWith: header.isMasked ? header.key : 0, phase: phase)
      inflate(half.plain, &half, limit: limits.messageBytes)
      keepBounds(&half)
    } else if assembly.trouble == .none {
      guard half.text.count &+ payload.byteCount <= limits.messageBytes else {
        half.assembly!.trouble = .tooLarge
        return half.dropText()
      }
      half.text.append(payload, unmaskedWith: header.isMasked ? header.key : 0, phase: phase)
      keepBounds(&half)
    }
  }

  private static func keepBounds(_ half: inout Half) {
    if half.reserve() { return }
    half.assembly!.trouble = .noRoom
    half.dropText()
  }

  private static func inflate(_ input: Scratch, _ half: inout Half, limit: Int) {
    switch half.decompression.inflate(input.bytes, into: &half.text, limit: limit) {
    case .fine: return
    case .tooLarge:
      half.assembly!.trouble = .tooLarge
      half.decompression.overflow()
    case .contextLost: half.assembly!.trouble = .contextLost
    case .contextBroken: half.assembly!.trouble = .contextBroken
    case .corrupt: half.assembly!.trouble = .corrupt
    }
  }

  /// RFC 7692 §7.2.2: the tail that the sender removed.
  private static let tail: Scratch = {
    var bytes = Scratch()
    for byte: UInt8 in [0x00, 0x00, 0xFF, 0xFF] { bytes.append(byte) }
    return bytes
  }()

  /// The last frame of a message is complete.
  static func message(
    _ delivery: Delivery, _ half: inout Half, _ above: inout any Layer, _ limits: FrameLimits,
    _ listener: any Listener
  ) {
    let isAbandoned = half.assembly!.inVain > limits.messageBytes / 64
    if half.assembly!.isCompressed && half.assembly!.missing == 0 && !isAbandoned
      && (half.assembly!.trouble == .none || half.assembly!.trouble == .tooLarge)
    {
      let wasTooLarge = half.assembly!.trouble == .tooLarge
      // The tail adds nothing, so it is no matter of limits.
      if !half.decompression.isComplete { inflate(tail, &half, limit: .max) }
      if wasTooLarge { half.assembly!.trouble = .tooLarge }
    }
    let assembly = half.assembly!
    half.assembly = nil
    var unknown = 0
    if assembly.isCompressed && assembly.trouble == .none {
      unknown = half.decompression.unknownBytes(of: half.text)
    }
    defer {
      if assembly.isCompressed {
        half.decompression.endMessage(
          isWhole: assembly.trouble == .none || assembly.trouble == .tooLarge && !isAbandoned)
      }
      half.dropText()
    }
    half.seen.messages &+= 1
    half.seen.bytes &+= assembly.wireLength
    // An opcode without a meaning makes no message; its finding was told with its header.
    let isMessage = assembly.opcode <= 2 && assembly.trouble != .unfounded
    // Octets nobody can read with holes in them.
    if unknown > 0, assembly.opcode != FrameHeader.Opcode.text {
      listener.account(.incomplete, assembly.wireLength)
      listener.finding(finding(.contextLost, assembly.wireLength, delivery.origin))
      return above.gap(nil, delivery, listener)
    }
    guard assembly.trouble == .none && isMessage else {
      listener.account(.incomplete, assembly.wireLength)
      if isMessage {
        listener.finding(
          finding(assembly.trouble, assembly.wireLength, delivery.origin, missing: assembly.missing)
        )
      }
      // What is not passed up might have said anything.
      if assembly.opcode <= 2 { above.gap(nil, delivery, listener) }
      return
    }
    half.told &+= assembly.wireLength
    var lent = delivery
    lent.kind = assembly.opcode == FrameHeader.Opcode.text ? .text : .binary
    if half.tellsFrames {
      listener.framed(
        Framing(
          opcode: assembly.opcode, frames: assembly.frames, isCompressed: assembly.isCompressed,
          isMasked: assembly.isMasked, key: assembly.key, wireBytes: assembly.wireLength,
          firstRecord: assembly.firstRecord, delivery.origin))
    }
    if unknown == 0 { return pass(half.text.bytes, lent, &above, listener) }
    passKnown(unknown, lent, &half, &above, listener)
  }

  /// Passes on what is known of a text that refers to messages that were not captured.
  @inline(never)
  private static func passKnown(
    _ unknown: Int, _ delivery: Delivery, _ half: inout Half, _ above: inout any Layer,
    _ listener: any Listener
  ) {
    var lent = delivery
    lent.kind = .partialText
    half.plain.removeAll()
    lent.certainBytes = UInt32(clamping: half.decompression.mark(half.text, into: &half.plain))
    above.receive(half.plain.bytes, lent, listener)
    listener.finding(
      Finding(
        .contextLost, .warning, delivery.origin,
        "\(unknown) of the \(half.text.count) bytes of this message are taken from messages that"
          + " were not captured, and stand as “·”", isAboutLastMessage: true))
  }

  /// A message that was interrupted: what came of it is accounted for.
  static func drop(
    _ delivery: Delivery, _ half: inout Half, _ above: inout any Layer, _ listener: any Listener
  ) {
    guard let assembly = half.assembly else { return }
    listener.account(.incomplete, assembly.wireLength)
    above.gap(nil, delivery, listener)
    half.assembly = nil
    half.dropText()
    if assembly.isCompressed { half.decompression.loseContext() }
  }

  private static func finding(
    _ trouble: Half.Trouble, _ size: Int, _ origin: Origin, missing: Int = 0
  ) -> Finding {
    var finding: Finding
    switch trouble {
    case .none, .incomplete, .unfounded:
      finding = Finding(
        .messageIncomplete, .warning, origin,
        missing > 0
          ? "\(missing == 1 ? "1 byte" : "\(missing) bytes")"
            + " of a message \(missing == 1 ? "was" : "were") not captured;"
            + " \(size) were, and are not shown"
          : "the beginning of a message is missing; \(size) bytes of it are not shown")
    case .tooLarge:
      finding = Finding(
        .messageTooLarge, .warning, origin,
        "a message is larger than the limit; its \(size) bytes on the wire are not shown")
    case .noRoom:
      finding = Finding(
        .messageTooLarge, .warning, origin,
        "very much is being put together at once, and leaves no room for a message; its \(size)"
          + " bytes on the wire are not shown")
    case .contextLost:
      finding = Finding(
        .contextLost, .warning, origin,
        "a compressed message of \(size) bytes refers to messages that were not captured, or"
          + " could not be inflated, so its text cannot be known")
    case .contextBroken:
      finding = Finding(
        .inflateFailed, .error, origin,
        "a compressed message of \(size) bytes refers to more than its sender may: to messages"
          + " before it, or further back than its window, though it was agreed not to"
          + " (RFC 7692 §7.1.1.1, §7.1.2.1)")
    case .corrupt:
      finding = Finding(
        .inflateFailed, .error, origin,
        "a compressed message of \(size) bytes is not a valid deflate stream")
    }
    finding.lostMessages = 1
    return finding
  }

  /// A whole control frame.
  static func control(
    _ frame: Half.Pending, _ delivery: Delivery, _ half: inout Half, _ above: inout any Layer,
    _ closing: inout Closing?, _ listener: any Listener
  ) {
    defer { half.control.removeAll() }
    let size = frame.header.size + Int(clamping: frame.header.length) - frame.missing
    let isWhole = frame.missing == 0 && UInt64(half.control.count) == frame.header.length
    if frame.header.opcode == FrameHeader.Opcode.close { half.hasClosed = true }
    guard isWhole, frame.header.isKnown else {
      listener.account(.incomplete, size)
      if frame.header.isKnown {
        listener.finding(
          Finding(
            .messageIncomplete, .warning, delivery.origin,
            "a control frame of \(frame.header.length) bytes was not captured whole"))
      }
      return
    }
    half.told &+= size
    if half.tellsFrames {
      framed(frame.header, wireBytes: size, from: frame.firstRecord, delivery, listener)
    }
    if frame.header.opcode == FrameHeader.Opcode.ping {
      (half.ping, half.pingKey) = (delivery.origin, key(of: half.control.bytes))
      if half.pingTimes.count >= Half.mostPings { half.pingTimes.removeFirst() }
      half.pingTimes.append(delivery.origin.time.nanoseconds)
    }
    if frame.header.opcode == FrameHeader.Opcode.pong {
      (half.pongTime, half.pongKey) = (delivery.origin.time, key(of: half.control.bytes))
    }
    control(frame.header.opcode, half.control.bytes, delivery, &closing, listener)
  }

  /// What a control frame says, by its opcode.
  static func control(
    _ opcode: UInt8, _ payload: RawSpan, _ delivery: Delivery, _ closing: inout Closing?,
    _ listener: any Listener
  ) {
    switch opcode {
    case FrameHeader.Opcode.close: close(payload, delivery, &closing, listener)
    case FrameHeader.Opcode.ping: keepAlive("PING", .restarts, payload, delivery, listener)
    default: keepAlive("PONG", .answers, payload, delivery, listener)
    }
  }

  private static func keepAlive(
    _ name: StaticString, _ role: Link.Role, _ payload: RawSpan, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    var message = Message("websocket", name, delivery.origin)
    // The lowest bit says who pinged: both sides may send the same.
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
    _ payload: RawSpan, _ delivery: Delivery, _ closing: inout Closing?, _ listener: any Listener
  ) {
    var message = Message("websocket", "CLOSE", delivery.origin)
    message.traits = .bodyInNotes
    var code: UInt16?
    var trouble: String?
    if payload.byteCount >= 2 {
      let value = payload.uint16(at: 0)
      code = value
      message.first = Link(.shows, "code", UInt64(value), space: 0)
      message.about = CloseCode.name(value)
      message.reason = ByteRange(2, payload.byteCount)
      if !CloseCode.maySend(value) { trouble = "the code \(value) must not be sent" }
      if UTF8.firstInvalid(in: payload, from: 2) != nil {
        trouble = "the reason of a CLOSE is not UTF-8"
      }
    } else if payload.byteCount == 1 {
      trouble = "a CLOSE with one octet has half a code"
    }
    listener.message(message, payload, Span())
    if let trouble {
      listener.finding(
        Finding(.badClose, .error, delivery.origin, trouble, isAboutLastMessage: true))
    }
    if closing != nil { return }
    let reason = payload.byteCount > 2 ? payload.dropping(2).copied() : []
    closing = Closing(by: delivery.origin.direction, code: code, reason: reason)
    closing?.hasFrame = true
    if let code, CloseCode.isFailure(code) {
      let who = delivery.origin.direction == .toServer ? "client" : "server"
      listener.finding(
        Finding(
          .closeFailure, .warning, delivery.origin,
          "the \(who) ends the connection with the failure \(code) (\(CloseCode.name(code)))",
          isAboutLastMessage: true))
    }
  }
}
