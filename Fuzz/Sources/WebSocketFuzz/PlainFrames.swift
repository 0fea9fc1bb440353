// SPDX-License-Identifier: Apache-2.0

/// A direct implementation of RFC 6455 §5, independent of the tested code.
enum PlainFrames {
  /// The messages before the first violation or the end of reading.
  static func messages(in octets: [UInt8], isMasked: Bool) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    var message: [UInt8]?
    var rest = octets[...]
    while rest.count >= 2 {
      let first = rest.removeFirst()
      let second = rest.removeFirst()
      if first & 0x70 != 0 || (second & 0x80 != 0) != isMasked { break }
      var length = Int(second & 0x7F)
      if length > 125 {
        let count = length == 126 ? 2 : 8
        guard rest.count >= count, rest.first! < 0x80 || count == 2 else { break }
        length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        rest.removeFirst(count)
        if length < (count == 2 ? 126 : 65536) { break }
      }
      let key = isMasked ? Array(rest.prefix(4)) : [0, 0, 0, 0]
      if isMasked { rest = rest.dropFirst(4) }
      guard rest.count >= length, key.count == 4 else { break }
      let payload = rest.prefix(length).enumerated().map { $1 ^ key[$0 & 3] }
      rest.removeFirst(length)
      switch first & 0x0F {
      case 0:
        guard let begun = message else { return messages }
        message = begun + payload
      case 1, 2:
        if message != nil { return messages }
        message = payload
      case 9, 10:
        if first & 0x80 == 0 || length > 125 { return messages }
        continue
      default: return messages
      }
      if first & 0x80 != 0, let whole = message {
        messages.append(whole)
        message = nil
      }
    }
    return messages
  }
}
