// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Parses a regular expression: the common subset of POSIX ERE and PCRE that needs no backtracking.
struct PatternReader {
  private let bytes: [UInt8]
  private let ignoresCase: Bool
  private var at = 0
  private var depth = 0

  /// The limit of nested groups.
  private static let mostDepth = 50
  /// The limit of a counted repetition.
  private static let mostCount = 1000

  private init(_ bytes: [UInt8], ignoresCase: Bool) {
    (self.bytes, self.ignoresCase) = (bytes, ignoresCase)
  }

  static func read(_ bytes: [UInt8], ignoresCase: Bool) throws(PatternError) -> PatternNode {
    var reader = PatternReader(bytes, ignoresCase: ignoresCase)
    let node = try reader.alternatives()
    if reader.at < bytes.count {
      throw PatternError("')' closes nothing")
    }
    return node
  }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  private mutating func alternatives() throws(PatternError) -> PatternNode {
    var all = [try sequence()]
    while take("|") { all.append(try sequence()) }
    return all.count == 1 ? all[0] : .either(all)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var all: [PatternNode] = []
    while let byte = next, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
      all.append(try repeated(try atom(byte)))
    }
    return all.count == 1 ? all[0] : all.isEmpty ? .empty : .sequence(all)
  }

  private mutating func atom(_ byte: UInt8) throws(PatternError) -> PatternNode {
    at += 1
    switch Unicode.Scalar(byte) {
    case "(": return try group()
    case "[": return try characterClass()
    case ".": return .character(.all.subtracting(.continuation).subtracting(ByteSet([0x0A])))
    case "^": return .start
    case "$": return .end
    case "\\": return try escape()
    case "*", "+", "?":
      throw PatternError("'\(Unicode.Scalar(byte))' repeats nothing")
    case "{":
      throw PatternError("'{' repeats nothing; the character itself is '\\{'")
    default: return literal(byte)
    }
  }

  private func literal(_ byte: UInt8) -> PatternNode {
    let set = ByteSet([byte])
    return .byte(ignoresCase ? set.ignoringCase : set)
  }

  private mutating func group() throws(PatternError) -> PatternNode {
    depth += 1
    if depth > Self.mostDepth { throw PatternError("too many groups in groups") }
    if take("?") {
      guard take(":") else {
        throw PatternError(
          "looking ahead and behind, and flags in groups, are not supported")
      }
    }
    let inside = try alternatives()
    if !take(")") { throw PatternError("'(' is not closed") }
    depth -= 1
    return inside
  }

  private mutating func repeated(_ atom: PatternNode) throws(PatternError) -> PatternNode {
    var node = atom
    while let byte = next {
      let (least, most): (Int, Int?)
      switch Unicode.Scalar(byte) {
      case "*": (least, most) = (0, nil)
      case "+": (least, most) = (1, nil)
      case "?": (least, most) = (0, 1)
      case "{": (least, most) = try counts()
      default: return node
      }
      if byte != UInt8(ascii: "{") { at += 1 }
      switch node {
      case .start, .end, .edge, .noEdge:
        throw PatternError("what has no length cannot be repeated")
      default: break
      }
      // Lazy or greedy makes no difference for whether it matches.
      _ = take("?")
      node = .repeated(node, least: least, most: most)
    }
    return node
  }

  /// `{3}`, `{3,}`, `{3,5}`.
  private mutating func counts() throws(PatternError) -> (Int, Int?) {
    at += 1
    guard let least = number() else {
      throw PatternError("'{' needs numbers, as {2,5}; the character itself is '\\{'")
    }
    var most: Int? = least
    if take(",") { most = next == UInt8(ascii: "}") ? nil : number() ?? -1 }
    if !take("}") { throw PatternError("'{' is not closed") }
    if let most, most < least {
      throw PatternError("at most \(max(most, 0)) is less than at least \(least)")
    }
    if max(least, most ?? 0) > Self.mostCount {
      throw PatternError("more than \(Self.mostCount) repetitions")
    }
    return (least, most)
  }

  private mutating func number() -> Int? {
    let start = at
    var value = 0
    while let byte = next, byte.isDigit {
      value = min(value * 10 + Int(byte - 0x30), 1 << 32)
      at += 1
    }
    return at > start ? value : nil
  }

  private mutating func escape() throws(PatternError) -> PatternNode {
    guard let byte = next else {
      throw PatternError("'\\' stands before nothing")
    }
    switch Unicode.Scalar(byte) {
    case "b", "B":
      at += 1
      return byte == UInt8(ascii: "b") ? .edge : .noEdge
    case "D", "W", "S":
      let set = try escapedSet()!
      return .character(set.subtracting(.continuation))
    case "1"..."9":
      throw PatternError(
        "back-references are not supported: they need not be linear")
    default: break
    }
    if let set = try escapedSet() { return .byte(set) }
    return literal(try escapedByte())
  }

  /// `\d`, `\w`, `\s` and their opposites; nil for anything else.
  private mutating func escapedSet() throws(PatternError) -> ByteSet? {
    let set: ByteSet
    switch next.map({ Unicode.Scalar($0) }) {
    case "d": set = .digits
    case "w": set = .word
    case "s": set = .space
    case "D": set = .all.subtracting(.digits)
    case "W": set = .all.subtracting(.word)
    case "S": set = .all.subtracting(.space)
    default: return nil
    }
    at += 1
    return set
  }

  private mutating func escapedByte() throws(PatternError) -> UInt8 {
    let byte = bytes[at]
    at += 1
    switch Unicode.Scalar(byte) {
    case "n": return .lineFeed
    case "r": return .carriageReturn
    case "t": return .tab
    case "f": return 0x0C
    case "0": return 0
    case "x":
      let digits = bytes[at..<min(at + 2, bytes.count)]
      at += digits.count
      let text = String(decoding: digits, as: Unicode.UTF8.self)
      guard digits.count == 2, let value = UInt8(text, radix: 16) else {
        throw PatternError("'\\x' needs two hexadecimal digits")
      }
      return value
    case "a"..."z", "A"..."Z":
      throw PatternError("'\\\(Unicode.Scalar(byte))' means nothing here")
    default: return byte
    }
  }

  /// `[a-z_]`, `[^"]`. Directly after `[` or `[^`, a `]` is literal.
  private mutating func characterClass() throws(PatternError) -> PatternNode {
    let isNegated = take("^")
    var set = ByteSet()
    var others: [PatternNode] = []
    var isFirst = true
    while true {
      guard let byte = next else { throw PatternError("'[' is not closed") }
      if byte == UInt8(ascii: "]") && !isFirst { break }
      isFirst = false
      if byte >= 0x80 {
        others.append(try wideCharacter())
      } else if let escaped = try classEscape() {
        set = set.union(escaped)
      } else {
        let low = try classByte()
        set = set.union(try range(from: low))
      }
      if !others.isEmpty && isNegated {
        throw PatternError("a class of other characters lists ASCII only")
      }
    }
    at += 1
    if ignoresCase { set = set.ignoringCase }
    if isNegated { return .character(ByteSet.all.subtracting(.continuation).subtracting(set)) }
    // `\W` in a class includes characters of several bytes.
    let node =
      set.contains(0xC3) ? PatternNode.character(set.subtracting(.continuation)) : .byte(set)
    return others.isEmpty ? node : .either([node] + others)
  }

  private mutating func classEscape() throws(PatternError) -> ByteSet? {
    guard next == UInt8(ascii: "\\"), at + 1 < bytes.count else { return nil }
    at += 1
    if let set = try escapedSet() { return set }
    at -= 1
    return nil
  }

  private mutating func classByte() throws(PatternError) -> UInt8 {
    let start = at
    at += 1
    guard bytes[start] == UInt8(ascii: "\\") else { return bytes[start] }
    guard at < bytes.count else { throw PatternError("'\\' stands before nothing") }
    return try escapedByte()
  }

  /// A range that begins with `low`: only that byte, or up to the one after a `-`.
  private mutating func range(from low: UInt8) throws(PatternError) -> ByteSet {
    guard next == UInt8(ascii: "-"), at + 1 < bytes.count, bytes[at + 1] != UInt8(ascii: "]")
    else { return ByteSet([low]) }
    at += 1
    if bytes[at] >= 0x80 {
      throw PatternError("a range in a class is of ASCII characters")
    }
    let high = try classByte()
    if high < low { throw PatternError("the range ends before it begins") }
    return ByteSet(low...high)
  }

  /// A character that is not ASCII, as its bytes.
  private mutating func wideCharacter() throws(PatternError) -> PatternNode {
    let start = at
    at += 1
    while let byte = next, byte & 0xC0 == 0x80 { at += 1 }
    if next == UInt8(ascii: "-"), at + 1 < bytes.count, bytes[at + 1] != UInt8(ascii: "]") {
      throw PatternError("a range in a class is of ASCII characters")
    }
    return .sequence(bytes[start..<at].map { .byte(ByteSet([$0])) })
  }
}
