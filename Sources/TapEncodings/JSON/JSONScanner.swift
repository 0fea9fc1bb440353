// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Checks one JSON text (RFC 8259) in a single pass and notes where the elements of its top-level
/// array stand. Builds no tree; values are read on demand.
///
/// Lenient in one thing, and says so: `NaN` and `Infinity` are accepted and set `hasNonFinite`.
public struct JSONScanner: Sendable {
  public enum Problem: Sendable, Equatable {
    /// The text ends inside a value.
    case incomplete
    /// A byte that cannot stand where it stands.
    case unexpected
    /// Nested more deeply than the limit.
    case tooDeep
  }

  /// The elements of the top-level array, or the one top-level value itself.
  public private(set) var elements = JSONElements()
  public private(set) var isArray = false
  /// Why the text is no JSON, and at which byte; nil when it is.
  public private(set) var problem: Problem?
  /// Where the problem is; without one, where the value ended.
  public private(set) var offset = 0
  /// White space between tokens was seen.
  public private(set) var hasSpace = false
  /// Something other than printable ASCII was seen in a string.
  public private(set) var hasUnplain = false
  public private(set) var hasNonFinite = false

  private let maximumDepth: Int
  /// Which of the open containers are objects, one bit each, the innermost lowest; outer ones
  /// beyond 64 are spilled.
  private var spilled = ContiguousArray<UInt64>()

  /// - Parameter maximumDepth: how deep values may nest.
  public init(maximumDepth: Int) {
    self.maximumDepth = maximumDepth
  }

  /// Whether the whole of what was scanned is one JSON text and nothing else.
  public var isStrict: Bool { problem == nil && !hasNonFinite }

  /// Scans the value that begins at `start`, with white space around it, and answers the offset
  /// behind it; nil, with `problem` set, when there is none.
  @discardableResult
  public mutating func scan(_ bytes: RawSpan, from start: Int = 0) -> Int? {
    elements.removeAll()
    (isArray, problem, hasSpace, hasUnplain, hasNonFinite) = (false, nil, false, false, false)
    if !spilled.isEmpty { spilled.removeAll(keepingCapacity: true) }
    var at = start
    let failure = run(bytes, &at)
    offset = at
    problem = failure
    return failure == nil ? at : nil
  }

  /// What is expected next.
  private enum Expected { case value, key, commaOrEnd }

  private mutating func run(_ bytes: RawSpan, _ position: inout Int) -> Problem? {
    let count = bytes.byteCount
    // Offsets travel as values: passing the address of `at` to a function would keep it in memory.
    var at = position
    var expected = Expected.value
    var depth = 0
    var objects: UInt64 = 0
    // The element of the top-level list that is open.
    var elementStart = 0
    var elementKind = JSONElement.Kind.null
    var sawSpace = false
    var sawUnplain = false
    defer {
      position = at
      if sawSpace { hasSpace = true }
      if sawUnplain { hasUnplain = true }
    }

    scan: while true {
      guard at < count else { return .incomplete }
      var byte = Self.load(bytes, at)
      if byte <= 0x20 {
        let next = Self.endOfSpace(bytes, at)
        if next == at { return .unexpected }
        (at, sawSpace) = (next, true)
        guard at < count else { return .incomplete }
        byte = Self.load(bytes, at)
      }
      switch expected {
      case .key:
        guard byte == 0x22 else { return .unexpected }
        let end = Self.endOfString(bytes, at, &sawUnplain)
        at = end.offset
        if let problem = end.problem { return problem }
        if at < count && Self.load(bytes, at) != 0x3A {
          let next = Self.endOfSpace(bytes, at)
          if next > at { (at, sawSpace) = (next, true) }
        }
        guard at < count else { return .incomplete }
        guard Self.load(bytes, at) == 0x3A else { return .unexpected }
        at &+= 1
        expected = .value
        continue scan

      case .value:
        let start = at
        let kind: JSONElement.Kind
        if byte == 0x22 {
          let end = Self.endOfString(bytes, at, &sawUnplain)
          at = end.offset
          if let problem = end.problem { return problem }
          kind = .string
        } else if byte &- 0x30 < 10 || byte == 0x2D {
          let end = Self.endOfNumber(bytes, at)
          at = end.offset
          guard let number = end.kind else { return at < count ? .unexpected : .incomplete }
          if number == .nonFinite { hasNonFinite = true }
          kind = number
        } else if byte == 0x5B || byte == 0x7B {
          let isObject = byte == 0x7B
          guard depth < maximumDepth else { return .tooDeep }
          at &+= 1
          if at < count && Self.load(bytes, at) <= 0x20 {
            let next = Self.endOfSpace(bytes, at)
            if next > at { (at, sawSpace) = (next, true) }
          }
          if depth == 0 { isArray = !isObject }
          kind = isObject ? .object : .array
          // An empty container is a value like any other.
          if at < count && Self.load(bytes, at) == byte &+ 2 {
            at &+= 1
            if depth == 0 && isArray { break scan }
          } else {
            if depth == (isArray ? 1 : 0) { (elementStart, elementKind) = (start, kind) }
            if depth > 0 && depth & 63 == 0 { spilled.append(objects) }
            objects = objects << 1 | (isObject ? 1 : 0)
            depth &+= 1
            expected = isObject ? .key : .value
            continue scan
          }
        } else {
          let end = Self.endOfLiteral(bytes, at)
          at = end.offset
          guard let literal = end.kind else { return at < count ? .unexpected : .incomplete }
          if literal == .nonFinite { hasNonFinite = true }
          kind = literal
        }
        if depth <= 1 && (depth == 0 || isArray) {
          elements.append(JSONElement(kind, ByteRange(start, at)))
          if depth == 0 { break scan }
        }
        if at < count && Self.load(bytes, at) == 0x2C {
          at &+= 1
          expected = objects & 1 == 1 ? .key : .value
        } else {
          expected = .commaOrEnd
        }

      case .commaOrEnd:
        if byte == 0x2C {
          at &+= 1
          expected = objects & 1 == 1 ? .key : .value
          continue scan
        }
        guard byte == (objects & 1 == 1 ? 0x7D : 0x5D) else { return .unexpected }
        at &+= 1
        depth &-= 1
        objects >>= 1
        if depth > 0 && depth & 63 == 0, let outer = spilled.popLast() { objects = outer }
        if depth == (isArray ? 1 : 0) {
          elements.append(JSONElement(elementKind, ByteRange(elementStart, at)))
        }
        if depth == 0 { break scan }
      }
    }
    let end = Self.endOfSpace(bytes, at)
    if end > at { (at, sawSpace) = (end, true) }
    return nil
  }

  /// Behind white space; `start` when there is none.
  private static func endOfSpace(_ bytes: RawSpan, _ start: Int) -> Int {
    var at = start
    while at < bytes.byteCount, isSpace(load(bytes, at)) { at &+= 1 }
    return at
  }

  /// A byte at an offset that was compared with the count just before.
  @inline(__always) private static func load(_ bytes: RawSpan, _ at: Int) -> UInt8 {
    assert(at >= 0 && at < bytes.byteCount)
    return unsafe bytes.unsafeLoad(fromUncheckedByteOffset: at, as: UInt8.self)
  }

  @inline(__always) static func isSpace(_ byte: UInt8) -> Bool {
    byte <= 0x20 && (byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09)
  }

  /// Behind the closing quote of a string, eight bytes at a time.
  @inline(__always)
  private static func endOfString(
    _ bytes: RawSpan, _ start: Int, _ sawUnplain: inout Bool
  ) -> (offset: Int, problem: Problem?) {
    let count = bytes.byteCount
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    var at = start &+ 1
    while true {
      while at &+ 8 <= count {
        let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: at, as: UInt64.self)
          .littleEndian
        // The top bit of each byte tells a quote, a backslash, a control, DEL or no ASCII. Borrows
        // and carries reach only bytes behind the first such one, which is the one that counts.
        let quoteOrSlash = ((word ^ ones &* 0x22) &- ones) | ((word ^ ones &* 0x5C) &- ones)
        let hit = (quoteOrSlash | (word &- ones &* 0x20) | (word &+ ones) | word) & tops
        if hit != 0 {
          at &+= hit.trailingZeroBitCount &>> 3
          break
        }
        at &+= 8
      }
      guard at < count else { return (at, .incomplete) }
      let byte = load(bytes, at)
      if byte == 0x22 { return (at &+ 1, nil) }
      if byte == 0x5C {
        let escape = endOfEscape(bytes, at)
        at = escape.offset
        if escape.problem != nil { return escape }
      } else if byte < 0x20 {
        return (at, .unexpected)
      } else {
        if byte >= 0x7F { sawUnplain = true }
        at &+= 1
      }
    }
  }

  private static func endOfEscape(
    _ bytes: RawSpan, _ start: Int
  ) -> (offset: Int, problem: Problem?) {
    let count = bytes.byteCount
    guard start &+ 1 < count else { return (count, .incomplete) }
    switch load(bytes, start &+ 1) {
    case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return (start &+ 2, nil)
    case 0x75:
      for at in start &+ 2..<start &+ 6 {
        guard at < count else { return (count, .incomplete) }
        guard hexDigit(load(bytes, at)) != nil else { return (at, .unexpected) }
      }
      return (start &+ 6, nil)
    default: return (start &+ 1, .unexpected)
    }
  }

  static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30
    case 0x41...0x46: UInt32(byte) - 0x37
    case 0x61...0x66: UInt32(byte) - 0x57
    default: nil
    }
  }

  /// Behind a number (RFC 8259 §6), and what it is; nil when it is none.
  @inline(__always)
  private static func endOfNumber(
    _ bytes: RawSpan, _ start: Int
  ) -> (offset: Int, kind: JSONElement.Kind?) {
    let count = bytes.byteCount
    var at = start
    while at < count, isDigit(load(bytes, at)) {
      at &+= 1
      // Long ones eight at a time.
      if at &- start == 4 {
        while at &+ 8 <= count,
          Digits.areAll(
            unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: at, as: UInt64.self)
              .littleEndian)
        {
          at &+= 8
        }
      }
    }
    // Most numbers end here.
    let isPlain = at > start && (load(bytes, start) != 0x30 || at == start &+ 1)
    if isPlain, at == count || !continuesNumber(load(bytes, at)) { return (at, .natural) }
    return endOfOddNumber(bytes, start)
  }

  @inline(__always) private static func continuesNumber(_ byte: UInt8) -> Bool {
    byte == 0x2E || byte | 0x20 == 0x65
  }

  @inline(never)
  private static func endOfOddNumber(
    _ bytes: RawSpan, _ start: Int
  ) -> (offset: Int, kind: JSONElement.Kind?) {
    let count = bytes.byteCount
    var at = start
    if load(bytes, at) == 0x2D {
      at &+= 1
      guard at < count else { return (at, nil) }
      if load(bytes, at) == 0x49 { return endOfLiteral(bytes, at) }
    }
    let whole = at
    while at < count, isDigit(load(bytes, at)) { at &+= 1 }
    guard at > whole else { return (at, nil) }
    if at > whole &+ 1 && load(bytes, whole) == 0x30 { return (whole &+ 1, nil) }
    if at < count, load(bytes, at) == 0x2E {
      at &+= 1
      let fraction = at
      while at < count, isDigit(load(bytes, at)) { at &+= 1 }
      guard at > fraction else { return (at, nil) }
    }
    if at < count, load(bytes, at) | 0x20 == 0x65 {
      at &+= 1
      if at < count, load(bytes, at) == 0x2B || load(bytes, at) == 0x2D { at &+= 1 }
      let exponent = at
      while at < count, isDigit(load(bytes, at)) { at &+= 1 }
      guard at > exponent else { return (at, nil) }
    }
    return (at, .number)
  }

  @inline(__always) private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  @inline(never)
  private static func endOfLiteral(
    _ bytes: RawSpan, _ start: Int
  ) -> (offset: Int, kind: JSONElement.Kind?) {
    let count = bytes.byteCount
    if start &+ 4 <= count {
      let word = unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: start, as: UInt32.self
      ).littleEndian
      // "true", "null", and "fals" before an "e".
      if word == 0x6575_7274 { return (start &+ 4, .yes) }
      if word == 0x6C6C_756E { return (start &+ 4, .null) }
      if word == 0x736C_6166, start &+ 4 < count, load(bytes, start &+ 4) == 0x65 {
        return (start &+ 5, .no)
      }
    }
    return endOfOddLiteral(bytes, start)
  }

  /// A literal that is cut off, wrong, or no JSON.
  private static func endOfOddLiteral(
    _ bytes: RawSpan, _ start: Int
  ) -> (offset: Int, kind: JSONElement.Kind?) {
    let kind: JSONElement.Kind
    let word: StaticString
    switch load(bytes, start) {
    case 0x74: (kind, word) = (.yes, "true")
    case 0x66: (kind, word) = (.no, "false")
    case 0x6E: (kind, word) = (.null, "null")
    case 0x4E: (kind, word) = (.nonFinite, "NaN")
    case 0x49: (kind, word) = (.nonFinite, "Infinity")
    default: return (start, nil)
    }
    var at = start
    let expected = unsafe word.utf8Start
    for index in 0..<word.utf8CodeUnitCount {
      guard at < bytes.byteCount, load(bytes, at) == (unsafe expected[index]) else {
        return (at, nil)
      }
      at &+= 1
    }
    return (at, kind)
  }
}
