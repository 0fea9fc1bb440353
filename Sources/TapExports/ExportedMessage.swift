// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// One message as exports of JSON have it: an element of `_webSocketMessages` of a HAR, or what a
/// browser says of a frame. Its members come in any order.
struct ExportedMessage {
  enum Outcome {
    /// What it says is in `content`.
    case message(Opcode)
    case trouble(Finding.Code, String)
  }

  private(set) var offset: UInt64 = 0
  /// What it is, in the words of the export.
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

  /// The words that stand in the place of its data.
  var words: String {
    String(decoding: content.bytes.copied().prefix(400), as: Unicode.UTF8.self)
  }

  /// Reads what was collected.
  mutating func read(_ limits: Limits) -> Outcome {
    guard let opcode = Opcode(ofWhole: opcode ?? 1) else {
      return .trouble(
        .exportBadMessage, "a message has the opcode \(opcode ?? 0), which has no meaning")
    }
    guard let length = length ?? (opcode.isControl ? 0 : nil) else {
      return .trouble(.exportBadMessage, "a message has no data")
    }
    if length > UInt64(content.count) || opcode == .text && content.count > limits.messageBytes {
      return tooLarge(length)
    }
    if opcode == .text { return .message(.text) }
    return octets(opcode, limits)
  }

  private func tooLarge(_ length: UInt64) -> Outcome {
    .trouble(
      .exportMessageTooLarge,
      "a message of \(length) bytes is larger than the limit; it is not shown")
  }

  private mutating func octets(_ opcode: Opcode, _ limits: Limits) -> Outcome {
    var octets = Scratch()
    if let bad = Base64.decode(content.bytes, into: &octets) {
      // Browsers write no control frames; other programs may write them as text.
      if opcode.isControl { return .message(opcode) }
      return .trouble(
        .exportBadMessage,
        "the data of a binary message is no base64 from its character \(bad) on")
    }
    if octets.count > limits.messageBytes { return tooLarge(UInt64(octets.count)) }
    content = octets
    return .message(opcode)
  }
}
