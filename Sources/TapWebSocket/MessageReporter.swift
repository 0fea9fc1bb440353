// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInflate
import TapTraffic

/// Assembles messages from frames: inflates them, checks their text and passes them up.
enum MessageReporter {
  /// Passes on a complete message.
  @inline(__always)
  static func pass(
    _ bytes: RawSpan, _ delivery: Delivery, _ above: inout any Layer, _ listener: any Listener
  ) {
    if delivery.kind == .text, let at = UTF8.firstInvalid(in: bytes) {
      var broken = delivery
      broken.kind = .brokenText
      above.receive(bytes, broken, listener)
      listener.remark(
        .invalidUTF8, .error, delivery.origin,
        "a text message is not UTF-8 from its byte \(at) on")
      return
    }
    above.receive(bytes, delivery, listener)
  }

  /// Reports the framing of the next message, which is a single frame.
  @inline(never)
  static func framed(
    _ header: FrameHeader, wireBytes: Int, from record: UInt64, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    listener.framed(
      Framing(
        opcode: header.opcode.rawValue, isFinal: header.isFinal, isMasked: header.isMasked,
        key: header.key, wireBytes: wireBytes, firstRecord: record, delivery.origin))
  }

  /// Adds a piece of payload to the message that is being assembled.
  static func add(
    _ payload: RawSpan, _ header: FrameHeader, _ phase: Int, _ half: inout Half,
    _ limits: Connection.Limits
  ) {
    let assembly = half.assembly!
    if assembly.isCompressed {
      // Even a message that cannot be shown is inflated, as later ones may refer to it. One with a
      // gap is not: it makes the context unknown.
      guard assembly.missing == 0, assembly.trouble != .contextBroken,
        assembly.trouble != .corrupt, assembly.trouble != .noRoom
      else { return }
      if assembly.trouble == .tooLarge {
        // Each byte may inflate to a thousand, so keeping the context is not worth any effort.
        if assembly.inVain > limits.messageBytes / 64 { return }
        half.assembly!.inVain &+= payload.byteCount
      }
      half.plain.value.removeAll()
      half.plain.value.append(payload, unmaskedWith: header.isMasked ? header.key : 0, phase: phase)
      // A little data may inflate to a lot, so the bound applies before inflating.
      let most = half.room?.most ?? .max
      inflate(
        half.plain.value, &half, half.decompression, limit: min(limits.messageBytes, most))
      if half.assembly!.trouble == .tooLarge && most < limits.messageBytes {
        half.assembly!.trouble = .noRoom
        half.dropText()
      } else {
        keepBounds(&half)
      }
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

  private static func inflate(
    _ input: Scratch, _ half: inout Half, _ decompression: Cell<Decompression>, limit: Int
  ) {
    switch decompression.value.inflate(input.bytes, into: &half.text, limit: limit) {
    case .fine: return
    case .tooLarge:
      half.assembly!.trouble = .tooLarge
      decompression.value.overflow()
    case .noRoom:
      half.assembly!.trouble = .noRoom
      half.dropText()
    case .contextBroken: half.assembly!.trouble = .contextBroken
    case .corrupt: half.assembly!.trouble = .corrupt
    }
  }

  /// RFC 7692 §7.2.2: the tail that senders remove.
  private static let tail: Scratch = {
    var bytes = Scratch()
    for byte: UInt8 in [0x00, 0x00, 0xFF, 0xFF] { bytes.append(byte) }
    return bytes
  }()

  /// The last frame of a message is complete.
  static func message(
    _ delivery: Delivery, _ half: inout Half, _ connection: inout Connection,
    _ listener: any Listener
  ) {
    let limit = connection.limits.messageBytes
    let isAbandoned = half.assembly!.inVain > limit / 64
    if half.assembly!.isCompressed && half.assembly!.missing == 0 && !isAbandoned
      && (half.assembly!.trouble == .none || half.assembly!.trouble == .tooLarge)
    {
      let wasTooLarge = half.assembly!.trouble == .tooLarge
      // The tail adds no text, so no limit applies.
      let decompression = half.decompression
      if !decompression.value.isComplete {
        half.assembly!.end = close(&half, decompression)
      }
      if wasTooLarge { half.assembly!.trouble = .tooLarge }
    }
    if half.assembly!.isUnagreed { Unagreed.read(&half, tail, limit: limit) }
    let assembly = half.assembly!
    half.assembly = nil
    let decompression = assembly.isCompressed ? half.decompression : nil
    var unknown = 0
    if let decompression, assembly.trouble == .none {
      unknown = decompression.value.unknownBytes(of: half.text)
    }
    defer {
      decompression?.value.endMessage(
        isWhole: assembly.end != .cutOff
          && (assembly.trouble == .none || assembly.trouble == .tooLarge && !isAbandoned),
        assembly.trouble == .none ? half.text : nil,
        isDamaged: [.corrupt, .contextBroken, .noRoom].contains(assembly.trouble)
          || assembly.end == .cutOff)
      half.dropText()
    }
    half.seen.messages &+= 1
    half.seen.bytes &+= assembly.wireLength
    let isData = assembly.opcode.isKnown && !assembly.opcode.isControl
    // An opcode without a meaning makes no message, and neither does one with an RSV1 that nobody
    // can interpret; that was reported with the header.
    let isMessage = isData && assembly.trouble != .unfounded
    // Binary data with unknown bytes is of no use.
    if unknown > 0, assembly.opcode != .text {
      listener.account(.incomplete, assembly.wireLength)
      listener.finding(
        decompression?.value.isDamaged == true
          ? .unreported(.contextDamaged, assembly.wireLength, delivery.origin)
          : .unreported(.contextLost, assembly.wireLength, delivery.origin))
      return connection.above.gap(nil, delivery, listener)
    }
    guard assembly.trouble == .none && isMessage else {
      listener.account(.incomplete, assembly.wireLength)
      if isMessage {
        listener.finding(
          .unreported(
            assembly.trouble, assembly.wireLength, delivery.origin, missing: assembly.missing))
      }
      // The message that is not passed on may have been anything.
      if isData { connection.above.gap(nil, delivery, listener) }
      return
    }
    half.reported &+= assembly.wireLength
    var lent = delivery
    lent.kind = assembly.opcode == .text ? .text : .binary
    if half.reportsFrames {
      listener.framed(
        Framing(
          opcode: assembly.opcode.rawValue, frames: assembly.frames,
          isCompressed: assembly.isCompressed,
          isMasked: assembly.isMasked, key: assembly.key, wireBytes: assembly.wireLength,
          firstRecord: assembly.firstRecord, delivery.origin))
    }
    if unknown == 0 {
      pass(half.text.bytes, lent, &connection.above, listener)
    } else {
      passKnown(unknown, lent, &half, &connection.above, listener)
    }
    if let decompression { reportBreaches(assembly, delivery, decompression, listener) }
  }

  /// Adds the tail to a compressed message; returns how the message ended without it.
  private static func close(
    _ half: inout Half, _ decompression: Cell<Decompression>
  ) -> Half.CompressedEnd {
    if half.assembly!.payloadLength == 0 { return .empty }
    if decompression.value.isBetweenBlocks { return .withTail }
    inflate(tail, &half, decompression, limit: .max)
    // The tail completes an empty block, which a regular message leaves open.
    return half.assembly!.trouble == .none && !decompression.value.isBetweenBlocks
      ? .cutOff : .regular
  }

  /// Reports what the sender of a readable compressed message broke.
  private static func reportBreaches(
    _ assembly: Half.Assembly, _ delivery: Delivery, _ decompression: Cell<Decompression>,
    _ listener: any Listener
  ) {
    if let breach = decompression.value.takeBreach() {
      listener.finding(.breach(breach, delivery.origin))
    }
    if assembly.end != .regular { listener.finding(.end(assembly.end, delivery.origin)) }
  }

  /// Passes on a text that is partly unknown, as it refers to messages that were not captured.
  @inline(never)
  private static func passKnown(
    _ unknown: Int, _ delivery: Delivery, _ half: inout Half, _ above: inout any Layer,
    _ listener: any Listener
  ) {
    var lent = delivery
    lent.kind = .partialText
    half.plain.value.removeAll()
    lent.certainBytes = UInt32(
      clamping: half.decompression.value.mark(half.text, into: &half.plain.value))
    lent.sentBytes = UInt32(clamping: half.text.count)
    above.receive(half.plain.value.bytes, lent, listener)
    listener.remark(
      .contextLost, .warning, delivery.origin,
      "\(unknown) of the \(half.text.count) bytes of this message are taken from messages that"
        + (half.decompression.value.isDamaged ? " could not be inflated" : " were not captured")
        + ", and stand as “·”")
  }

  /// A message was interrupted: accounts for its bytes.
  static func drop(
    _ delivery: Delivery, _ half: inout Half, _ above: inout any Layer, _ listener: any Listener
  ) {
    guard let assembly = half.assembly else { return }
    listener.account(.incomplete, assembly.wireLength)
    above.gap(nil, delivery, listener)
    half.assembly = nil
    half.dropText()
    if assembly.isCompressed { half.decompression.value.loseContext(isDamaged: true) }
  }
}
