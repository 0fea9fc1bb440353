// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Messages with RSV1 set although no known extension was negotiated that defines it. Most such
/// senders compress (RFC 7692 §6), others set it by mistake: the bytes show which.
enum Unagreed {
  /// A binary message of at least this many bytes does not inflate completely by chance.
  private static let enough = 16

  /// Replaces the text of a complete message by the inflated one, if it was compressed.
  static func read(_ half: inout Half, _ tail: Scratch, limit: Int) {
    let assembly = half.assembly!
    guard assembly.trouble == .none, assembly.opcode != .continuation else {
      return half.decompression.value.loseContext()
    }
    let isText = assembly.opcode == .text
    if isText && isPlain(half.text.bytes) { return }
    let sent = half.text
    half.plain.value.removeAll()
    var outcome = half.decompression.value.inflate(
      sent.bytes, into: &half.plain.value, limit: limit)
    if outcome == .fine && !half.decompression.value.isComplete {
      outcome = half.decompression.value.inflate(tail.bytes, into: &half.plain.value, limit: limit)
    }
    let isWhole =
      outcome == .fine
      && (half.decompression.value.isComplete || half.decompression.value.isBetweenBlocks)
      && half.decompression.value.unknownBytes(of: half.plain.value) == 0
    let isClear =
      isText
      ? UTF8.firstInvalid(in: half.plain.value.bytes) == nil
      : sent.count >= enough || half.hasInflated
    half.decompression.value.endMessage(isWhole: isWhole, half.plain.value, isDamaged: !isWhole)
    if isWhole && isClear {
      half.hasInflated = true
      half.text = half.plain.value
    } else if isText || half.hasInflated {
      half.assembly!.trouble = .unfounded
    }
  }

  /// Whether it is uncompressed text: compressed data hardly ever looks like that.
  private static func isPlain(_ bytes: RawSpan) -> Bool {
    if UTF8.firstInvalid(in: bytes) != nil { return false }
    for at in 0..<bytes.byteCount where bytes.byte(at: at) < 0x09 { return false }
    return true
  }
}
