// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// The messages of the capture, converted to another serializer.
struct Reserialized {
  private(set) var messages: [Range<Int>] = []
  private(set) var bytes = Scratch()
  private let serializer: Serializer

  init(_ evidence: Evidence, _ serializer: Serializer) {
    self.serializer = serializer
    let json = evidence.messageBytes
    for lent in evidence.messages {
      let start = bytes.count
      let message = json.bytes.extracting(lent.range)
      append(message, JSONElement(.array, ByteRange(0, message.byteCount)))
      messages.append(start..<bytes.count)
    }
  }

  private mutating func append(_ text: RawSpan, _ element: JSONElement) {
    switch element.kind {
    case .array, .object:
      let isObject = element.kind == .object
      var members: [JSON.Member] = []
      var at = element.range.start + 1
      let inside = text.extracting(0..<element.range.end)
      while let member = JSON.next(inside, &at, inObject: isObject) { members.append(member) }
      open(isObject, members.count)
      for member in members {
        if isObject { append(string: JSON.unescaped(text[member.key]), isKey: true) }
        append(text, member.value)
      }
      if serializer == .ubjson || serializer == .bjdata { bytes.append(isObject ? 0x7D : 0x5D) }
    case .string: append(string: JSON.unescaped(text[element.content]), isKey: false)
    case .natural: append(JSON.natural(text, element.range) ?? 0)
    case .number:
      let digits = String(decoding: text[element.range].copied(), as: Unicode.UTF8.self)
      append(marker: [0xCB, 0xFB, 0x44, 0x44], (Double(digits) ?? 0).bitPattern, 8)
    case .yes: append(literal: [0xC3, 0xF5, 0x54, 0x54])
    case .no: append(literal: [0xC2, 0xF4, 0x46, 0x46])
    default: append(literal: [0xC0, 0xF6, 0x5A, 0x5A])
    }
  }

  /// Appends one byte, chosen from `octets` by the order of `Serializer`.
  private mutating func append(literal octets: [UInt8]) {
    bytes.append(octets[Int(serializer.rawValue)])
  }

  private mutating func append(marker octets: [UInt8], _ value: UInt64, _ width: Int) {
    append(literal: octets)
    for at in 0..<width {
      let place = serializer == .bjdata ? at : width - 1 - at
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(place * 8)))
    }
  }

  private mutating func open(_ isObject: Bool, _ count: Int) {
    switch serializer {
    case .messagePack where count < 16: bytes.append((isObject ? 0x80 : 0x90) | UInt8(count))
    case .messagePack:
      append(marker: [isObject ? 0xDE : 0xDC], UInt64(count), 2)
    case .cbor: append(major: isObject ? 5 : 4, UInt64(count))
    default: bytes.append(isObject ? 0x7B : 0x5B)
    }
  }

  private mutating func append(string: [UInt8], isKey: Bool) {
    switch serializer {
    case .messagePack where string.count < 32: bytes.append(0xA0 | UInt8(string.count))
    case .messagePack: append(marker: [0xDA], UInt64(string.count), 2)
    case .cbor: append(major: 3, UInt64(string.count))
    default:
      if !isKey { bytes.append(0x53) }
      append(UInt64(string.count))
    }
    bytes.append(string.span.bytes)
  }

  private mutating func append(_ value: UInt64) {
    switch serializer {
    case .messagePack where value < 128: bytes.append(UInt8(value))
    case .cbor: append(major: 0, value)
    default:
      if value < 256 {
        append(marker: [0xCC, 0, 0x55, 0x55], value, 1)
      } else if value < 32_768 {
        append(marker: [0xCD, 0, 0x49, 0x49], value, 2)
      } else if value < 1 << 31 {
        append(marker: [0xCE, 0, 0x6C, 0x6C], value, 4)
      } else {
        append(marker: [0xCF, 0, 0x4C, 0x4C], value, 8)
      }
    }
  }

  private mutating func append(major: UInt8, _ value: UInt64) {
    let head = major << 5
    let width = value < 24 ? 0 : value < 256 ? 1 : value < 65_536 ? 2 : value < 1 << 32 ? 4 : 8
    if width == 0 { return bytes.append(head | UInt8(value)) }
    let code = UInt8(24 + width.trailingZeroBitCount)
    append(marker: [0, head | code], value, width)
  }
}
