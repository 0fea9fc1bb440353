// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Python's `OrderedDict([('a', 1)])`; since Python 3.12 it is `OrderedDict({'a': 1})`.
extension LiteralReader {
  private static let name: StaticString = "OrderedDict("

  /// Answers the offset behind it; nil when there is none, or it is not understood.
  mutating func orderedDictionary(_ bytes: RawSpan, _ start: Int, depth: Int) -> Int? {
    guard bytes.dropping(start).starts(with: Self.name) else { return nil }
    let begin = json.count
    var at = bytes.behindSpace(start + Self.name.utf8CodeUnitCount)
    if bytes.has(.openBracket, at), let end = pairs(bytes, at, depth: depth) {
      at = bytes.behindSpace(end)
    } else if bytes.has(.openBrace, at), let end = object(bytes, at, depth: depth) {
      at = bytes.behindSpace(end)
    } else {
      json.append("{}")
    }
    if bytes.has(UInt8(ascii: ")"), at) { return at + 1 }
    json.truncate(begin)
    return nil
  }

  private mutating func pairs(_ bytes: RawSpan, _ start: Int, depth: Int) -> Int? {
    let begin = json.count
    json.append(.openBrace)
    var at = bytes.behindSpace(start + 1)
    while bytes.has(UInt8(ascii: "("), at) {
      if json.count > begin + 1 { json.append(.comma) }
      let first = bytes.behindSpace(at + 1)
      guard first < bytes.byteCount, let key = strings(bytes, first) else { return nil }
      let comma = bytes.behindSpace(key)
      guard bytes.has(.comma, comma) else { return nil }
      json.append(.colon)
      guard let end = element(bytes, bytes.behindSpace(comma + 1), depth: depth),
        bytes.has(UInt8(ascii: ")"), end)
      else { return nil }
      at = bytes.behindSpace(end + 1)
      if bytes.has(.comma, at) { at = bytes.behindSpace(at + 1) }
    }
    guard bytes.has(.closeBracket, at) else { return nil }
    json.append(.closeBrace)
    return at + 1
  }
}

extension RawSpan {
  fileprivate func has(_ byte: UInt8, _ at: Int) -> Bool {
    at < byteCount && self.byte(at: at) == byte
  }
}
