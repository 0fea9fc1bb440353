// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// One element of `_webSocketMessages`, its members in any order.
struct HARMessage {
  enum Outcome {
    /// What it says is in `content`.
    case message(Opcode, Direction)
    /// The recorder's own words.
    case error(String)
    case trouble(Finding.Code, String, Direction)
  }

  private(set) var offset: UInt64 = 0
  var type: [UInt8] = []
  var time: ExportTime?
  var opcode: Int64?
  /// As it is written, and after `read` as it was sent.
  private(set) var content = Scratch()
  private var length: UInt64?

  /// Another message begins; its content takes the place of the last one's.
  mutating func begin(at offset: UInt64) {
    (self.offset, type, time, opcode, length) = (offset, [], nil, nil, nil)
    content.removeAll()
    content.shrink(above: 1 << 20)
  }

  mutating func take(_ bytes: RawSpan, _ data: JSONScalar) {
    guard data.isString else { return }
    content.removeAll()
    content.append(bytes)
    length = data.length
  }

  /// Reads what was collected.
  mutating func read(_ limits: Limits) -> Outcome {
    let words = String(decoding: type, as: Unicode.UTF8.self)
    if words == "error" {
      let text = String(decoding: content.bytes.copied().prefix(400), as: Unicode.UTF8.self)
      return .error(text)
    }
    let direction: Direction
    switch words {
    case "send", "sent": direction = .toServer
    case "receive", "received": direction = .toClient
    default:
      return .trouble(
        .exportBadMessage, "a message does not say who sent it: its type is “\(words)”", .unknown)
    }
    guard let opcode = Opcode(ofWhole: opcode ?? 1) else {
      return .trouble(
        .exportBadMessage, "a message has the opcode \(opcode ?? 0), which has no meaning",
        direction)
    }
    guard let length = length ?? (opcode.isControl ? 0 : nil) else {
      return .trouble(.exportBadMessage, "a message has no data", direction)
    }
    if length > UInt64(content.count) || opcode == .text && content.count > limits.messageBytes {
      return tooLarge(length, direction)
    }
    if opcode == .text { return .message(.text, direction) }
    return octets(opcode, direction, limits)
  }

  private func tooLarge(_ length: UInt64, _ direction: Direction) -> Outcome {
    .trouble(
      .exportMessageTooLarge,
      "a message of \(length) bytes is larger than the limit; it is not shown", direction)
  }

  private mutating func octets(
    _ opcode: Opcode, _ direction: Direction, _ limits: Limits
  ) -> Outcome {
    var octets = Scratch()
    if let bad = Base64.decode(content.bytes, into: &octets) {
      // Browsers write no control frames; other programs may write them as text.
      if opcode.isControl { return .message(opcode, direction) }
      return .trouble(
        .exportBadMessage,
        "the data of a binary message is no base64 from its character \(bad) on", direction)
    }
    if octets.count > limits.messageBytes { return tooLarge(UInt64(octets.count), direction) }
    content = octets
    return .message(opcode, direction)
  }
}
