// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Whether the first bytes of a payload look like a WAMP message, and in which serializer: a list
/// with a plausible number of elements, a message code, and a second element of the right kind.
struct MessageForm: Equatable {
  /// The kind of the element after the code.
  enum Second { case integer, text, dictionary }

  var serializer: Serializer
  var code: Int

  /// Whether the client sends messages with this code; nil when both sides do.
  var isFromClient: Bool? {
    switch code {
    case 1, 5, 16, 32, 34, 48, 49, 64, 66, 70, 337: true
    case 2, 4, 17, 33, 35, 36, 50, 65, 67, 68, 69: false
    default: nil
    }
  }

  /// How many elements a message with this code has; nil for other codes.
  private static func elements(_ code: Int) -> ClosedRange<Int>? {
    switch code {
    case 1, 2, 4, 5, 6, 17, 33, 49, 65, 69: 3...3
    case 3, 50, 70: 3...5
    case 8: 5...7
    case 16, 36, 48, 68: 4...6
    case 32, 64: 4...4
    case 34, 66: 3...4
    case 35, 67: 2...3
    case 337: 2...2
    default: nil
    }
  }

  private static func second(_ code: Int) -> Second {
    switch code {
    case 1, 4, 5: .text
    case 3, 6: .dictionary
    default: .integer
    }
  }

  /// - Parameter serializer: nil when that is not known.
  init?(_ payload: RawSpan, _ serializer: Serializer?) {
    let known: [Serializer] = [.json, .messagePack, .cbor, .ubjson, .flatBuffers]
    for candidate in serializer.map({ [$0] }) ?? known {
      if let code = Self.code(payload, candidate) {
        (self.serializer, self.code) = (candidate, code)
        return
      }
    }
    return nil
  }

  private static func code(_ payload: RawSpan, _ serializer: Serializer) -> Int? {
    switch serializer {
    case .json: json(payload)
    case .messagePack: messagePack(payload)
    case .cbor: cbor(payload)
    case .ubjson: ubjson(payload)
    case .flatBuffers: flatBuffers(payload)
    default: nil
    }
  }

  private static func json(_ payload: RawSpan) -> Int? {
    guard octet(payload, 0) == 0x5B else { return nil }
    var at = 1
    var code = 0
    while at < 5, let digit = octet(payload, at), digit.isDigit {
      code = code * 10 + Int(digit - 0x30)
      at += 1
    }
    guard octet(payload, at) == 0x2C, elements(code) != nil else { return nil }
    at += 1
    if octet(payload, at) == 0x20 { at += 1 }
    guard let first = octet(payload, at) else { return nil }
    let isRight =
      switch second(code) {
      case .integer: first.isDigit
      case .text: first == 0x22
      case .dictionary: first == 0x7B
      }
    return isRight ? code : nil
  }

  private static func messagePack(_ payload: RawSpan) -> Int? {
    guard let first = octet(payload, 0), first & 0xF0 == 0x90 else { return nil }
    var at = 2
    var code = 0
    switch octet(payload, 1) {
    case let small? where small < 0x80: code = Int(small)
    case 0xCD?:
      guard let high = octet(payload, 2), let low = octet(payload, 3) else { return nil }
      code = Int(high) << 8 | Int(low)
      at = 4
    default: return nil
    }
    guard elements(code)?.contains(Int(first & 0x0F)) == true, let next = octet(payload, at)
    else { return nil }
    let isRight =
      switch second(code) {
      case .integer: next < 0x80 || (0xCC...0xCF).contains(next)
      case .text: (0xA0...0xBF).contains(next) || (0xD9...0xDB).contains(next)
      case .dictionary: (0x80...0x8F).contains(next) || (0xDE...0xDF).contains(next)
      }
    return isRight ? code : nil
  }

  private static func cbor(_ payload: RawSpan) -> Int? {
    guard let first = octet(payload, 0), first & 0xE0 == 0x80 else { return nil }
    var at = 2
    var code = 0
    switch octet(payload, 1) {
    case let small? where small < 0x18: code = Int(small)
    case 0x18?:
      code = Int(octet(payload, 2) ?? 0)
      at = 3
    case 0x19?:
      guard let high = octet(payload, 2), let low = octet(payload, 3) else { return nil }
      code = Int(high) << 8 | Int(low)
      at = 4
    default: return nil
    }
    // 0x9F begins a list of indefinite length.
    guard let allowed = elements(code), first == 0x9F || allowed.contains(Int(first & 0x1F)),
      let next = octet(payload, at)
    else { return nil }
    let isRight =
      switch second(code) {
      case .integer: next < 0x1C
      case .text: next >> 5 == 3
      case .dictionary: next >> 5 == 5
      }
    return isRight ? code : nil
  }

  private static func ubjson(_ payload: RawSpan) -> Int? {
    guard octet(payload, 0) == 0x5B, let mark = octet(payload, 1), mark == 0x55 || mark == 0x69,
      let code = octet(payload, 2), elements(Int(code)) != nil, let next = octet(payload, 3)
    else { return nil }
    let isRight =
      switch second(Int(code)) {
      // U i I l L, and u m M of BJData.
      case .integer: [0x55, 0x69, 0x49, 0x6C, 0x4C, 0x75, 0x6D, 0x4D].contains(next)
      case .text: next == 0x53
      case .dictionary: next == 0x7B
      }
    return isRight ? Int(code) : nil
  }

  /// A root table with two fields, a union's tag and the offset of its table, both near the
  /// beginning, where builders put them.
  private static func flatBuffers(_ payload: RawSpan) -> Int? {
    guard let root = number(payload, 0, 4), let back = number(payload, root, 4) else { return nil }
    let layout = root - Int(Int32(truncatingIfNeeded: back))
    guard root >= 4, layout >= 4, number(payload, layout, 2) == 8,
      let size = number(payload, layout + 2, 2), let tag = number(payload, layout + 4, 2),
      let table = number(payload, layout + 6, 2), tag >= 4, tag < size, table >= 4,
      table + 4 <= size, let offset = number(payload, root + table, 4), offset > 0,
      let code = octet(payload, root + tag)
    else { return nil }
    // EVENT_RECEIVED, whose code exceeds one byte.
    let real = code == 37 ? 337 : Int(code)
    return elements(real) == nil ? nil : real
  }

  /// A little-endian number; nil when it is incomplete.
  private static func number(_ payload: RawSpan, _ at: Int, _ width: Int) -> Int? {
    guard at >= 0, at <= payload.byteCount - width else { return nil }
    return (0..<width).reversed().reduce(0) { $0 << 8 | Int(payload.byte(at: at + $1)) }
  }

  private static func octet(_ payload: RawSpan, _ at: Int) -> UInt8? {
    at < payload.byteCount ? payload.byte(at: at) : nil
  }
}
