// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Makes JSON of a value as programs print it: Python's repr and pprint, Node's inspect, Swift's
/// and JavaScript's own notation. Numbers keep their digits. What the printer left out becomes a
/// string of `…`, and is told by `isAbridged`.
struct LiteralReader {
  /// What was read.
  private(set) var json = Scratch()
  /// Something of the value was not printed, or is no value of JSON.
  private(set) var isAbridged = false
  private let maximumDepth: Int

  init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

  /// Reads the value at `start`; answers the offset behind it, nil when there is none.
  mutating func read(_ bytes: RawSpan, from start: Int) -> Int? {
    json.removeAll()
    json.shrink(above: 1 << 20)
    isAbridged = false
    return value(bytes, start, 0)
  }

  private mutating func value(_ bytes: RawSpan, _ start: Int, _ depth: Int) -> Int? {
    let at = Self.token(bytes, start)
    guard at < bytes.byteCount, depth < maximumDepth else { return nil }
    let byte = bytes.byte(at: at)
    switch byte {
    case 0x5B:
      if let end = elided(bytes, at) { return end }
      return list(bytes, at, until: 0x5D, depth + 1)
    case 0x28: return list(bytes, at, until: 0x29, depth + 1)
    case 0x7B: return object(bytes, at, depth + 1)
    case 0x22, 0x27, 0x60: return strings(bytes, at)
    case 0x30...0x39, 0x2D, 0x2B: return number(bytes, at)
    default:
      if LiteralString.begins(bytes, at) { return strings(bytes, at) }
      return word(bytes, at, depth)
    }
  }

  private static let elisions: [StaticString] = [
    "Object", "Array", "Function", "Circular", "Getter", "class ",
  ]

  /// `[Object]`, `[Array]`, `[Function: f]`: what Node prints in place of a value.
  private mutating func elided(_ bytes: RawSpan, _ start: Int) -> Int? {
    let inner = bytes.dropping(start + 1)
    guard inner.byteCount > 0, inner.byte(at: 0) | 0x20 &- 0x61 < 26,
      Self.elisions.contains(where: { inner.starts(with: $0) }),
      let end = bytes.firstIndex(of: 0x5D, from: start)
    else { return nil }
    let next = Self.token(bytes, end + 1)
    // `[Object: null prototype] { … }` is an object.
    if next < bytes.byteCount, bytes.byte(at: next) == 0x7B, inner.starts(with: "Object:") {
      return object(bytes, next, 1)
    }
    leaveOut()
    return end + 1
  }

  /// A list or a tuple. Swift writes dictionaries so, too.
  private mutating func list(
    _ bytes: RawSpan, _ start: Int, until close: UInt8, _ depth: Int
  ) -> Int? {
    let begin = json.count
    json.append(0x5B)
    var at = Self.token(bytes, start + 1)
    var count = 0
    var hasComma = false
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      if byte == close {
        // `('a' 'b')` is no tuple but a string that was broken.
        if close == 0x29 && count == 1 && !hasComma {
          let inner = json.bytes.dropping(begin + 1).copied()
          json.truncate(begin)
          json.append(inner.span.bytes)
        } else {
          json.append(0x5D)
        }
        return at + 1
      }
      if count > 0 {
        if byte == 0x3A && count == 1 && !hasComma && close == 0x5D {
          return dictionary(bytes, at, begin, depth)
        }
        guard byte == 0x2C else { return nil }
        hasComma = true
        at = Self.token(bytes, at + 1)
        guard at < bytes.byteCount else { return nil }
        if bytes.byte(at: at) == close { continue }
        json.append(0x2C)
      } else if byte == 0x3A && close == 0x5D {
        // `[:]`
        let end = Self.token(bytes, at + 1)
        guard end < bytes.byteCount, bytes.byte(at: end) == close else { return nil }
        json.truncate(begin)
        json.append("{}")
        return end + 1
      }
      guard let end = value(bytes, at, depth) else { return nil }
      at = Self.token(bytes, end)
      count += 1
    }
    return nil
  }

  /// What began as a list and is a dictionary of Swift: its first key was read.
  private mutating func dictionary(
    _ bytes: RawSpan, _ colon: Int, _ begin: Int, _ depth: Int
  ) -> Int? {
    let key = json.bytes.dropping(begin + 1).copied()
    json.truncate(begin)
    json.append(0x7B)
    appendKey(key.span.bytes)
    return members(bytes, colon, until: 0x5D, depth)
  }

  private mutating func object(_ bytes: RawSpan, _ start: Int, _ depth: Int) -> Int? {
    json.append(0x7B)
    let at = Self.token(bytes, start + 1)
    guard at < bytes.byteCount else { return nil }
    if bytes.byte(at: at) == 0x7D {
      json.append(0x7D)
      return at + 1
    }
    guard let colon = key(bytes, at) else { return nil }
    return members(bytes, colon, until: 0x7D, depth)
  }

  /// From the colon behind the first key to the end.
  private mutating func members(
    _ bytes: RawSpan, _ first: Int, until close: UInt8, _ depth: Int
  ) -> Int? {
    var colon = first
    while true {
      guard colon < bytes.byteCount, bytes.byte(at: colon) == 0x3A else { return nil }
      json.append(0x3A)
      guard let end = value(bytes, colon + 1, depth) else { return nil }
      var at = Self.token(bytes, end)
      guard at < bytes.byteCount else { return nil }
      if bytes.byte(at: at) == 0x2C {
        at = Self.token(bytes, at + 1)
        guard at < bytes.byteCount else { return nil }
        if bytes.byte(at: at) != close {
          json.append(0x2C)
          guard let next = key(bytes, at) else { return nil }
          colon = next
          continue
        }
      }
      guard bytes.byte(at: at) == close else { return nil }
      json.append(0x7D)
      return at + 1
    }
  }

  /// A key; answers where its colon stands.
  private mutating func key(_ bytes: RawSpan, _ start: Int) -> Int? {
    let begin = json.count
    var end: Int
    let byte = bytes.byte(at: start)
    if byte == 0x22 || byte == 0x27 || LiteralString.begins(bytes, start) {
      guard let after = strings(bytes, start) else { return nil }
      end = after
    } else {
      end = start
      while end < bytes.byteCount, Self.isWord(bytes.byte(at: end)) { end += 1 }
      if end == start { return nil }
      appendKey(bytes.extracting(start..<end))
    }
    end = Self.token(bytes, end)
    if end < bytes.byteCount, bytes.byte(at: end) == 0x3A { return end }
    // `... 3 more items`, `...`: nothing says how it would go on.
    if bytes.dropping(start).starts(with: "...") || bytes.dropping(start).starts(with: "…") {
      json.truncate(begin)
    }
    return nil
  }

  private mutating func appendKey(_ key: RawSpan) {
    if key.byteCount > 0, key.byte(at: 0) == 0x22 { return json.append(key) }
    json.append(0x22)
    json.append(key)
    json.append(0x22)
  }

  /// Strings; several behind each other are one that was broken into lines.
  private mutating func strings(_ bytes: RawSpan, _ start: Int) -> Int? {
    guard var end = LiteralString.read(bytes, start, into: &json) else { return nil }
    while true {
      let next = Self.token(bytes, end)
      guard next < bytes.byteCount else { return end }
      let quote = bytes.byte(at: next)
      guard quote == 0x22 || quote == 0x27 else { return end }
      // The end of the last string and the beginning of this one go.
      json.truncate(json.count - 1)
      let begin = json.count
      guard let after = LiteralString.read(bytes, next, into: &json) else { return nil }
      let part = json.bytes.dropping(begin + 1).copied()
      json.truncate(begin)
      json.append(part.span.bytes)
      end = after
    }
  }

  private mutating func number(_ bytes: RawSpan, _ start: Int) -> Int? {
    var end = start
    while end < bytes.byteCount, Self.isNumeric(bytes.byte(at: end)) { end += 1 }
    let digits = bytes.byte(at: start) == 0x2B ? start + 1 : start
    let next = end < bytes.byteCount ? bytes.byte(at: end) : 0
    // A BigInt of JavaScript ends with an n.
    let isBig = next == 0x6E && end + 1 < bytes.byteCount && !Self.isWord(bytes.byte(at: end + 1))
    if isBig || !Self.isWord(next) {
      json.append(bytes.extracting(digits..<end))
      return isBig ? end + 1 : end
    }
    while end < bytes.byteCount, Self.isWord(bytes.byte(at: end)) { end += 1 }
    if bytes.extracting(start..<end).equals("-Infinity")
      || bytes.extracting(start..<end).equals("-inf")
    {
      json.append("-Infinity")
    } else {
      leaveOut()
    }
    return end
  }

  /// `True`, `None`, `undefined`, `Decimal('1.5')`, `<Buffer 01>`, `...`
  private mutating func word(_ bytes: RawSpan, _ start: Int, _ depth: Int) -> Int? {
    if let end = LiteralWord.more(bytes, start) {
      leaveOut()
      return end
    }
    var end = start
    while end < bytes.byteCount, Self.isWord(bytes.byte(at: end)) { end += 1 }
    if end == start { return nil }
    let word = bytes.extracting(start..<end)
    if let text = LiteralWord.json(word) {
      json.append(text)
      return end
    }
    let next = Self.token(bytes, end)
    let byte = next < bytes.byteCount ? bytes.byte(at: next) : 0
    if byte == 0x28 && (word.equals("Optional") || word.equals("AnyHashable")) {
      guard let inner = value(bytes, next + 1, depth + 1) else { return nil }
      let close = Self.token(bytes, inner)
      guard close < bytes.byteCount, bytes.byte(at: close) == 0x29 else { return nil }
      return close + 1
    }
    leaveOut()
    // Whatever the type prints of itself is passed over.
    guard byte == 0x28 || byte == 0x7B else { return end }
    var inner = LiteralReader(maximumDepth: maximumDepth - depth - 1)
    return inner.read(bytes, from: next)
  }

  private mutating func leaveOut() {
    json.append("\"…\"")
    isAbridged = true
  }

  static func token(_ bytes: RawSpan, _ start: Int) -> Int {
    var at = start
    while at < bytes.byteCount, ListStart.isSpace(bytes.byte(at: at)) { at += 1 }
    return at
  }

  static func isWord(_ byte: UInt8) -> Bool {
    byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte &- 0x30 < 10 || byte == 0x5F || byte == 0x24
      || byte == 0x2E || byte >= 0x80
  }

  private static func isNumeric(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || byte == 0x2E || byte == 0x2D || byte == 0x2B || byte | 0x20 == 0x65
  }
}
