// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Recognises a CONNECT by its form when its protocol name is damaged or unknown.
enum MQTTConnectForm {
  /// The position of an MQTT protocol name whose length prefix is missing or wrong.
  struct Misplaced {
    var name: ByteRange
    /// Nil when missing.
    var length: Int?
  }

  /// Whether a content begins with one of the protocol names behind its length.
  static func hasName(_ content: RawSpan) -> Bool {
    content.starts(with: "\0\u{4}MQTT") || content.starts(with: "\0\u{6}MQIsdp")
  }

  /// Searches for an MQTT protocol name and version at the beginning of a content that does not
  /// begin with the correct length of that name.
  static func misplaced(_ content: RawSpan) -> Misplaced? {
    for start in [2, 0] where content.byteCount > start {
      let rest = content.dropping(start)
      let count = rest.starts(with: "MQTT") ? 4 : rest.starts(with: "MQIsdp") ? 6 : 0
      guard count > 0, count < rest.byteCount, isVersion(rest.byte(at: count)) else { continue }
      let length = start == 0 ? nil : Int(content.uint16(at: 0))
      if length == count { return nil }
      return Misplaced(name: ByteRange(start, start + count), length: length)
    }
    return nil
  }

  private static func isVersion(_ byte: UInt8) -> Bool { 3...5 ~= byte & 0x7F }

  /// Whether a complete content has the form of CONNECT, from the name to the last field that the
  /// flags announce, with a name that is not MQTT's.
  static func fits(_ content: RawSpan) -> Bool {
    if let misplaced = misplaced(content) {
      var shape = MQTTPacketShape(content, isV5: version(content, misplaced.name.end) == 5)
      return shape.fitsConnect(content, from: misplaced.name.end) != nil
    }
    guard content.byteCount >= 2 else { return false }
    let end = 2 + Int(content.uint16(at: 0))
    guard end < content.byteCount, isVersion(content.byte(at: end)) else { return false }
    var shape = MQTTPacketShape(content, isV5: version(content, end) == 5)
    guard let client = shape.fitsConnect(content, from: end) else { return false }
    let name = content[ByteRange(2, end)]
    if isAlike(name) { return true }
    // Other protocols also have length-prefixed texts, small numbers and zeros.
    let flags = content.byte(at: end + 1)
    return name.byteCount >= 2 && name.isPlain && name.byteCount + client >= 6
      && flags != 0 && flags & 1 == 0
  }

  private static func version(_ content: RawSpan, _ place: Int) -> UInt8 {
    content.byte(at: place) & 0x7F
  }

  /// A name that begins like MQTT's in any case, or a short one that begins with MQ.
  private static func isAlike(_ name: RawSpan) -> Bool {
    beginsAlike(name) || beginsWithMQ(name) && name.byteCount <= 6
  }

  /// Whether the bytes begin like an MQTT protocol name, in any case.
  static func beginsAlike(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount > 2, beginsWithMQ(bytes) else { return false }
    let third = bytes.byte(at: 2) | 0x20
    return third == UInt8(ascii: "t") || third == UInt8(ascii: "i")
  }

  private static func beginsWithMQ(_ bytes: RawSpan) -> Bool {
    bytes.byteCount >= 2 && bytes.byte(at: 0) | 0x20 == UInt8(ascii: "m")
      && bytes.byte(at: 1) | 0x20 == UInt8(ascii: "q")
  }
}

extension MQTTPacketShape {
  /// Walks through the fields of a CONNECT from the version to its end.
  ///
  /// - Returns: the length of the client identifier; nil when a field does not fit, or bytes are
  ///   left over.
  mutating func fitsConnect(_ bytes: RawSpan, from version: Int) -> Int? {
    guard version + 4 <= bytes.byteCount else { return nil }
    let flags = bytes.byte(at: version + 1)
    let (hasWill, will) = (flags & 4 != 0, flags >> 3 & 3)
    if hasWill ? will == 3 : flags & 0x38 != 0 { return nil }
    at = version + 4
    if isV5 && !properties(bytes) { return nil }
    let start = at + 2
    guard string(bytes) else { return nil }
    let client = ByteRange(start, at)
    for byte in start..<at where bytes.byte(at: byte) < 0x20 { return nil }
    if hasWill {
      if isV5 && !properties(bytes) { return nil }
      guard string(bytes), !isEmpty, prefixed(bytes) else { return nil }
    }
    if flags & 0x80 != 0 && !string(bytes) { return nil }
    if flags & 0x40 != 0 && !prefixed(bytes) { return nil }
    return at == bytes.byteCount ? client.count : nil
  }
}
