// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Walks through the fields of a packet to check that they fit, without storing them.
struct MQTTPacketShape {
  let isV5: Bool
  var at = 0
  private let end: Int

  init(_ content: RawSpan, isV5: Bool) { (self.isV5, end) = (isV5, content.byteCount) }

  /// For a PUBLISH with a property length of 0: where its payload begins; nil when there is none.
  var payloadStart: Int? { at < end && !hasProperties ? at : nil }

  mutating func fits(_ bytes: RawSpan, _ type: MQTTType, _ first: UInt8) -> Bool {
    switch type {
    case .pingreq, .pingresp: return end == 0
    case .publish:
      guard string(bytes) else { return false }
      let isAliased = isEmpty
      if isAliased && !isV5 { return false }
      if first & 6 != 0 && !id(bytes) { return false }
      return !isV5 || properties(bytes) && (!isAliased || hasProperties)
    case .connack:
      guard end >= 2, bytes.byte(at: 0) < 2,
        MQTTReason.name(bytes.byte(at: 1), in: type, level: isV5 ? 5 : 4) != nil
      else { return false }
      at = 2
      return isV5 ? properties(bytes) && at == end : end == 2
    case .puback, .pubrec, .pubrel, .pubcomp:
      return id(bytes) && (end == 2 || isV5 && reason(bytes, type))
    case .disconnect, .auth: return end == 0 || isV5 && reason(bytes, type)
    case .subscribe, .unsubscribe:
      guard id(bytes), !isV5 || properties(bytes), at < end else { return false }
      while at < end {
        guard string(bytes), !isEmpty else { return false }
        if type == .unsubscribe { continue }
        guard at < end, bytes.byte(at: at) & 3 != 3,
          bytes.byte(at: at) & (isV5 ? 0xC0 : 0xFC) == 0
        else { return false }
        at += 1
      }
      return true
    case .suback, .unsuback:
      guard id(bytes), !isV5 || properties(bytes) else { return false }
      if type == .unsuback && !isV5 { return at == end }
      if at == end { return false }
      while at < end {
        if MQTTReason.name(bytes.byte(at: at), in: type, level: isV5 ? 5 : 4) == nil {
          return false
        }
        at += 1
      }
      return true
    case .connect: return MQTTSearch.isConnect(bytes)
    }
  }

  /// The last text was empty.
  private(set) var isEmpty = false
  /// There were properties, not only a length of 0.
  private(set) var hasProperties = false

  mutating func string(_ bytes: RawSpan) -> Bool {
    let start = at + 2
    guard prefixed(bytes) else { return false }
    isEmpty = at == start
    return UTF8.firstInvalid(in: bytes.extracting(start..<at)) == nil
  }

  /// Bytes after their length.
  mutating func prefixed(_ bytes: RawSpan) -> Bool {
    guard at + 2 <= end, at + 2 + Int(bytes.uint16(at: at)) <= end else { return false }
    at += 2 + Int(bytes.uint16(at: at))
    return true
  }

  private mutating func id(_ bytes: RawSpan) -> Bool {
    guard at + 2 <= end, bytes.uint16(at: at) != 0 else { return false }
    at += 2
    return true
  }

  private mutating func reason(_ bytes: RawSpan, _ type: MQTTType) -> Bool {
    guard at < end, MQTTReason.name(bytes.byte(at: at), in: type, level: 5) != nil else {
      return false
    }
    at += 1
    return at == end || properties(bytes) && at == end
  }

  mutating func properties(_ bytes: RawSpan) -> Bool {
    guard case .whole(let length) = MQTTVariable.read(bytes, at: at) else { return false }
    at += length.length
    let last = at + length.value
    guard last <= end else { return false }
    if at < last { hasProperties = true }
    while at < last {
      let identifier = Int(bytes.byte(at: at))
      guard identifier < MQTTProperty.table.count, let entry = MQTTProperty.table[identifier]
      else { return false }
      at += 1
      switch entry.form {
      case .bit, .flag: at += 1
      case .uint16: at += 2
      case .uint32: at += 4
      case .variable:
        guard case .whole(let found) = MQTTVariable.read(bytes, at: at) else { return false }
        at += found.length
      case .string: guard string(bytes) else { return false }
      case .binary:
        guard at + 2 <= last else { return false }
        at += 2 + Int(bytes.uint16(at: at))
      case .pair: guard string(bytes), string(bytes) else { return false }
      }
    }
    return at == last
  }
}
