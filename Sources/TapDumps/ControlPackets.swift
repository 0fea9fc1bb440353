// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Control packets of MQTT by their fixed headers alone (MQTT 5.0 §2.1), for bytes that come
/// without anything around them that says what they are.
enum ControlPackets {
  /// Whether bytes are such packets from the first to the last. Four bytes and fewer may be other
  /// things as well.
  static func fill(_ bytes: RawSpan) -> Bool {
    var (at, count) = (0, 0)
    while at < bytes.byteCount {
      guard let end = end(bytes, at), end <= bytes.byteCount else { return false }
      at = end
      count += 1
    }
    return count > 0 && bytes.byteCount > 4
  }

  /// Where the packet ends that begins at a place; nil where none does.
  private static func end(_ bytes: RawSpan, _ start: Int) -> Int? {
    let first = bytes.byte(at: start)
    let (type, flags) = (first >> 4, first & 15)
    let isUsual = type == 6 || type == 8 || type == 10 ? flags == 2 : flags == 0
    guard type > 0, type == 3 ? flags & 6 != 6 : isUsual else { return nil }
    var (length, at) = (0, start + 1)
    while true {
      guard at < bytes.byteCount, at < start + 5 else { return nil }
      length |= Int(bytes.byte(at: at) & 0x7F) << (7 * (at - start - 1))
      at += 1
      if bytes.byte(at: at - 1) < 0x80 { break }
    }
    guard at + length <= bytes.byteCount else { return nil }
    return fits(bytes.extracting(at..<at + length), type) ? at + length : nil
  }

  /// Whether the content may be that of such a packet, by its length and first bytes.
  private static func fits(_ content: RawSpan, _ type: UInt8) -> Bool {
    let count = content.byteCount
    switch type {
    case 1: return count >= 12 && content.byte(at: 0) == 0 && 4...6 ~= content.byte(at: 1)
    case 2: return count >= 2 && content.byte(at: 0) < 2
    case 3: return count >= 2 && Int(content.uint16(at: 0)) + 2 <= count
    case 8: return count >= 6 && content.uint16(at: 0) != 0 && isList(content)
    case 12, 13: return count == 0
    case 14, 15: return true
    default: return count >= 2 && content.uint16(at: 0) != 0
    }
  }

  /// Whether filters with their options fill the content of SUBSCRIBE, behind properties or not: a
  /// WebSocket frame of bytes has the same first byte.
  private static func isList(_ content: RawSpan) -> Bool {
    let properties = 3 + Int(content.byte(at: 2))
    if isList(content, from: 2) { return true }
    return content.byte(at: 2) < 0x80 && isList(content, from: properties)
  }

  private static func isList(_ content: RawSpan, from start: Int) -> Bool {
    var at = start
    while at + 3 <= content.byteCount {
      let length = Int(content.uint16(at: at))
      if length == 0 || at + 3 + length > content.byteCount { return false }
      at += 3 + length
    }
    return at == content.byteCount && at > start
  }
}
