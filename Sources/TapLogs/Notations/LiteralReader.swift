// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// Makes JSON of a value as programs print it: Python's repr and pprint, Node's inspect, Java's
/// and JavaScript's own notation, terms of Erlang and Elixir. Numbers keep their digits. What the
/// printer left out, and what is not understood, becomes a string of `…`, and is reported by
/// `isAbridged`.
struct LiteralReader {
  /// What was read.
  var json = Scratch()
  /// Something of the value was not printed, is not understood, or is no value of JSON.
  var isAbridged = false
  /// The printer says that it left something out.
  var isElided = false
  /// Something is there that is not understood, or is no value of JSON.
  var hasUnread = false
  /// It has names, functions, or members as only programs have them: `id: next()`, `id=1`.
  var isOfProgram = false
  /// Something of the value is nested more deeply than is read.
  var isTooDeep = false
  /// Something was printed in another way than JSON has it: how it was sent is not known.
  var isChanged = false
  /// Nothing ends the value that is being read, or it is in no known notation.
  var isOpen = false
  /// It has members as Lua prints them, `key = value`: lists are in braces, too.
  private(set) var isOfLua = false
  let maximumDepth: Int

  init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

  /// Reads the value at `start`; answers the offset behind it, nil when there is none.
  mutating func read(_ bytes: RawSpan, from start: Int) -> Int? {
    json.removeAll()
    json.shrink(above: 1 << 20)
    (isAbridged, isChanged, isOpen) = (false, false, false)
    (isTooDeep, isElided, hasUnread, isOfLua, isOfProgram) = (false, false, false, false, false)
    return value(bytes, start, depth: 0)
  }

  mutating func value(_ bytes: RawSpan, _ start: Int, depth: Int) -> Int? {
    let at = bytes.behindSpace(start)
    guard at < bytes.byteCount, !isOpen else { return nil }
    guard depth < maximumDepth else {
      isTooDeep = true
      return nil
    }
    let byte = bytes.byte(at: at)
    switch byte {
    case .openBracket:
      if let end = elided(bytes, at) { return end }
      return list(bytes, at, until: .closeBracket, depth: depth + 1)
    case UInt8(ascii: "("): return list(bytes, at, until: UInt8(ascii: ")"), depth: depth + 1)
    case .openBrace: return object(bytes, at, depth: depth + 1)
    case .quote, .apostrophe, UInt8(ascii: "`"): return strings(bytes, at)
    case 0x30...0x39, 0x2D, 0x2B: return number(bytes, at)
    default:
      if LiteralString.begins(bytes, at) { return strings(bytes, at) }
      return term(bytes, at, depth: depth + 1) ?? word(bytes, at, depth: depth + 1)
    }
  }

  /// A value up to the comma or the bracket behind it; answers where that stands. What is not
  /// understood is left out.
  mutating func element(_ bytes: RawSpan, _ start: Int, depth: Int) -> Int? {
    let begin = json.count
    if let end = value(bytes, start, depth: depth) {
      let next = bytes.behindSpace(end)
      guard next < bytes.byteCount else { return nil }
      switch bytes.byte(at: next) {
      case .comma, .closeBracket, UInt8(ascii: ")"), .closeBrace: return next
      default: break
      }
    }
    if isOpen { return nil }
    json.truncate(begin)
    guard let end = skip(bytes, start) else { return nil }
    leaveOut()
    hasUnread = true
    // A time is printed as it is, `'a' + b` is code.
    if !bytes.byte(at: bytes.behindSpace(start)).isDigit { isOfProgram = true }
    return end
  }

  /// A list or a tuple.
  private mutating func list(
    _ bytes: RawSpan, _ start: Int, until close: UInt8, depth: Int
  ) -> Int? {
    let begin = json.count
    json.append(.openBracket)
    var at = bytes.behindSpace(start + 1)
    var count = 0
    var hasComma = false
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      if byte == close {
        // `('a' 'b')` is no tuple but a string that was broken.
        if close == UInt8(ascii: ")") && count == 1 && !hasComma {
          let inner = json.bytes.dropping(begin + 1).copied()
          json.truncate(begin)
          json.append(inner.span.bytes)
        } else {
          json.append(.closeBracket)
        }
        return at + 1
      }
      if count > 0 {
        guard byte == .comma else { return nil }
        hasComma = true
        at = bytes.behindSpace(at + 1)
        guard at < bytes.byteCount else { break }
        if bytes.byte(at: at) == close {
          continue
        }
        json.append(.comma)
      }
      // An element is missing: no notation prints such a list.
      if bytes.byte(at: at) == .comma { return abandon() }
      guard let end = element(bytes, at, depth: depth) else { return nil }
      at = end
      count += 1
    }
    return nil
  }

  /// What is read is in no notation.
  private mutating func abandon() -> Int? {
    isOpen = true
    return nil
  }

  mutating func object(_ bytes: RawSpan, _ start: Int, depth: Int) -> Int? {
    let first = bytes.behindSpace(start + 1)
    if isOfLua, first < bytes.byteCount, !isMember(bytes, first) {
      return list(bytes, start, until: .closeBrace, depth: depth)
    }
    json.append(.openBrace)
    return members(bytes, first, depth: depth)
  }

  /// Reads members from the first key to the end. All members that are not understood become one,
  /// `"…":"…"`.
  private mutating func members(_ bytes: RawSpan, _ first: Int, depth: Int) -> Int? {
    let begin = json.count
    var at = first
    var (hasLost, hasMember) = (false, false)
    while at < bytes.byteCount {
      if bytes.byte(at: at) == .closeBrace {
        if hasLost && !hasMember {
          // Nothing of it is understood: `{…}`, or a set.
          json.truncate(begin - 1)
          leaveOut()
        } else {
          json.append(.closeBrace)
        }
        return at + 1
      }
      if bytes.byte(at: at) == .comma { return abandon() }
      let member = json.count
      if json.count > begin { json.append(.comma) }
      if let colon = key(bytes, at) {
        json.append(.colon)
        guard let end = element(bytes, bytes.behindSpace(colon), depth: depth) else { return nil }
        (at, hasMember) = (end, true)
      } else {
        if isOpen { return nil }
        json.truncate(member)
        guard let end = skip(bytes, at) else { return nil }
        // `...rest` is source code.
        if LiteralWord.isElision(bytes.dropping(at)) { isElided = true }
        if !bytes.dropping(at).starts(with: "…") { (hasUnread, isOfProgram) = (true, true) }
        at = end
        isAbridged = true
        if !hasLost {
          if json.count > begin { json.append(.comma) }
          json.append("\"…\":\"…\"")
        }
        hasLost = true
      }
      guard at < bytes.byteCount else { break }
      if bytes.byte(at: at) == .comma {
        at = bytes.behindSpace(at + 1)
      } else if bytes.byte(at: at) != .closeBrace {
        return nil
      }
    }
    return nil
  }

  /// A key; answers the offset behind its colon, or what other languages have in its place.
  private mutating func key(_ bytes: RawSpan, _ start: Int) -> Int? {
    // `:a=>1` of Ruby
    let start = bytes.byte(at: start) == .colon ? start + 1 : start
    guard start < bytes.byteCount else { return nil }
    var end: Int
    let byte = bytes.byte(at: start)
    if byte == .quote || byte == .apostrophe || LiteralString.begins(bytes, start) {
      guard let after = strings(bytes, start) else { return nil }
      end = after
    } else if byte == UInt8(ascii: "<") {
      guard let after = binary(bytes, start) else { return nil }
      end = after
    } else if byte == .openBracket && isOfLua {
      // `["$/progress"] = 1`
      guard let after = strings(bytes, start + 1), after < bytes.byteCount,
        bytes.byte(at: after) == .closeBracket
      else { return nil }
      end = after + 1
    } else {
      end = start
      while end < bytes.byteCount, bytes.byte(at: end).isOfIdentifier { end += 1 }
      let word = bytes.extracting(start..<end)
      if end == start || LiteralWord.isElision(word) { return nil }
      appendKey(word)
    }
    end = bytes.behindSpace(end)
    guard end < bytes.byteCount else { return nil }
    if bytes.byte(at: end) == .colon { return end + 1 }
    guard bytes.byte(at: end) == UInt8(ascii: "=") else { return nil }
    if bytes.byte(at: end - 1) == .space, bytes.dropping(end).starts(with: "= ") { isOfLua = true }
    if bytes.dropping(end).starts(with: "=>") { return end + 2 }
    isOfProgram = true
    return end + 1
  }

  /// Whether a key of Lua stands there.
  private mutating func isMember(_ bytes: RawSpan, _ start: Int) -> Bool {
    let begin = json.count
    defer { json.truncate(begin) }
    return key(bytes, start) != nil
  }

  private mutating func appendKey(_ key: RawSpan) {
    if key.byteCount > 0, key.byte(at: 0) == .quote { return json.append(key) }
    json.append(.quote)
    json.append(key)
    json.append(.quote)
  }

  mutating func leaveOut() {
    json.append("\"…\"")
    isAbridged = true
  }
}
