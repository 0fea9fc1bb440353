// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Checks one JSON text (RFC 8259) in a single pass and records the ranges of the top-level array's
/// elements, or the top-level object's members. Builds no tree; values are read on demand.
///
/// Lenient in one point: `NaN` and `Infinity` are accepted and set `hasNonFinite`.
public struct JSONScanner: Sendable {
  public enum Problem: Sendable, Equatable {
    /// The text ends inside a value.
    case incomplete
    /// A byte that is not allowed at its position.
    case unexpected
    /// Nested more deeply than the limit.
    case tooDeep
  }

  /// The elements of the top-level array, or the one top-level value itself.
  public private(set) var elements = JSONElements()
  public private(set) var isArray = false
  /// The members of the top-level object, in order; those beyond `mostMembers` are left out.
  public private(set) var members = WorkingList<JSON.Member>()
  /// Why the text is not JSON; nil when it is.
  public private(set) var problem: Problem?
  /// The offset of the problem; without one, the end of the value.
  public private(set) var offset = 0
  /// White space between tokens was seen.
  public private(set) var hasSpace = false
  /// The text has something that renderers may have to rewrite: other than printable ASCII in a
  /// string, a lone surrogate, a number beyond a double, or nesting of more than 64 levels.
  public private(set) var hasUnplain = false
  /// A backslash was seen.
  public private(set) var hasEscape = false
  public private(set) var hasNonFinite = false
  /// An object may have a repeated key; if false, none has. `RepeatedKeys` finds out.
  public private(set) var mayRepeatKeys = false

  private let maximumDepth: Int
  /// Used for nesting beyond 64 levels; see `container`.
  private var spilled = ContiguousArray<UInt64>()
  private var keys = KeyFilter()

  /// The limit of kept members.
  public static let mostMembers = 1024

  /// - Parameter maximumDepth: how deep values may nest.
  public init(maximumDepth: Int) {
    self.maximumDepth = maximumDepth
  }

  /// Whether the scanned value is strict JSON.
  public var isStrict: Bool { problem == nil && !hasNonFinite }

  /// Scans the value that begins at `start`, with white space around it, and returns the offset
  /// after it; nil, with `problem` set, when there is none.
  @discardableResult
  public mutating func scan(_ bytes: RawSpan, from start: Int = 0) -> Int? {
    elements.removeAll()
    if !spilled.isEmpty { spilled.removeAll(keepingCapacity: true) }
    members.removeAll()
    isArray = false
    var seen = Seen()
    let end = run(bytes, start, &seen)
    (hasSpace, hasUnplain, hasNonFinite) = (seen.space, seen.unplain, seen.nonFinite)
    hasEscape = seen.escape
    mayRepeatKeys = seen.repetition
    problem = nil
    offset = end
    if end >= 0 { return end }
    (problem, offset) = (seen.problem, seen.offset)
    return nil
  }

  /// Takes over what a transcoder knows about the text that it has just written at the start of a
  /// buffer, in place of a scan.
  public mutating func adopt(_ transcoder: borrowing Transcoder, end: Int) {
    elements.copy(transcoder.composer.elements)
    members.removeAll()
    isArray = transcoder.composer.isList
    (problem, offset, hasSpace) = (nil, end, false)
    hasUnplain = transcoder.composer.hasUnplain
    hasNonFinite = transcoder.composer.hasNonFinite
    // The transcoder does not track escapes; binary values always contain one.
    hasEscape = true
    // The transcoder reports repeated keys itself.
    mayRepeatKeys = false
  }

  /// What the steps of a scan have found. Each step returns the offset after its value, or
  /// `failed`: offsets stay in registers, and this struct is rarely written.
  struct Seen {
    var space = false
    var unplain = false
    var nonFinite = false
    var repetition = false
    var escape = false
    /// In the last key.
    var keyEscape = false
    var problem = Problem.unexpected
    var offset = 0

    @inline(never) mutating func fail(_ bytes: RawSpan, _ at: Int) -> Int {
      offset = min(at, bytes.byteCount)
      problem = at >= bytes.byteCount ? .incomplete : .unexpected
      return JSONScanner.failed
    }

    @inline(never) mutating func failTooDeep(_ at: Int) -> Int {
      (offset, problem) = (at, .tooDeep)
      return JSONScanner.failed
    }
  }

  static var failed: Int { -1 }

  /// Scans the top-level value and records its elements or members.
  private mutating func run(_ bytes: RawSpan, _ start: Int, _ seen: inout Seen) -> Int {
    let count = bytes.byteCount
    var at = Self.token(bytes, start, &seen)
    guard at < count else { return seen.fail(bytes, at) }
    guard Self.load(bytes, at) == .openBracket, maximumDepth > 0 else {
      if Self.load(bytes, at) == .openBrace, maximumDepth > 0 { return object(bytes, at, &seen) }
      let (end, kind) = Self.value(bytes, at, 0, maximumDepth, &spilled, &keys, &seen)
      if end < 0 { return end }
      elements.append(JSONElement(kind, ByteRange(at, end)))
      return Self.token(bytes, end, &seen)
    }
    isArray = true
    at = Self.token(bytes, at &+ 1, &seen)
    guard at < count else { return seen.fail(bytes, at) }
    if Self.load(bytes, at) == .closeBracket { return Self.token(bytes, at &+ 1, &seen) }
    while true {
      let (end, kind) = Self.value(bytes, at, 1, maximumDepth, &spilled, &keys, &seen)
      if end < 0 { return end }
      elements.append(JSONElement(kind, ByteRange(at, end)))
      // Fast path: most elements are followed by a comma and directly by the next one.
      if end &+ 1 < count, Self.load(bytes, end) == .comma, Self.load(bytes, end &+ 1) > 0x20 {
        at = end &+ 1
        continue
      }
      at = Self.token(bytes, end, &seen)
      guard at < count else { return seen.fail(bytes, at) }
      let next = Self.load(bytes, at)
      if next == .comma {
        at = Self.token(bytes, at &+ 1, &seen)
        guard at < count else { return seen.fail(bytes, at) }
      } else if next == .closeBracket {
        return Self.token(bytes, at &+ 1, &seen)
      } else {
        return seen.fail(bytes, at)
      }
    }
  }

  /// Scans the top-level object, and white space after it.
  private mutating func object(_ bytes: RawSpan, _ start: Int, _ seen: inout Seen) -> Int {
    let count = bytes.byteCount
    var at = Self.token(bytes, start &+ 1, &seen)
    guard at < count else { return seen.fail(bytes, at) }
    keys.begin(1)
    var isAtEnd = Self.load(bytes, at) == .closeBrace
    while !isAtEnd {
      let keyStart = at &+ 1
      let (keyEnd, valueStart) = Self.key(bytes, at, 1, &keys, &seen)
      if valueStart < 0 { return valueStart }
      let (end, kind) = Self.value(bytes, valueStart, 1, maximumDepth, &spilled, &keys, &seen)
      if end < 0 { return end }
      if members.count < Self.mostMembers {
        members.append(
          JSON.Member(
            key: ByteRange(keyStart, keyEnd), value: JSONElement(kind, ByteRange(valueStart, end))))
      }
      // Fast path: most members are followed by a comma and directly by the next one.
      if end &+ 1 < count, Self.load(bytes, end) == .comma, Self.load(bytes, end &+ 1) > 0x20 {
        at = end &+ 1
        continue
      }
      at = Self.token(bytes, end, &seen)
      guard at < count else { return seen.fail(bytes, at) }
      isAtEnd = Self.load(bytes, at) == .closeBrace
      if isAtEnd { break }
      guard Self.load(bytes, at) == .comma else { return seen.fail(bytes, at) }
      at = Self.token(bytes, at &+ 1, &seen)
      guard at < count else { return seen.fail(bytes, at) }
    }
    elements.append(JSONElement(.object, ByteRange(start, at &+ 1)))
    return Self.token(bytes, at &+ 1, &seen)
  }

  /// Scans a value with `outside` containers around it; returns its end and its kind.
  @inline(__always)
  private static func value(
    _ bytes: RawSpan, _ at: Int, _ outside: Int, _ maximumDepth: Int,
    _ spilled: inout ContiguousArray<UInt64>, _ keys: inout KeyFilter, _ seen: inout Seen
  ) -> (end: Int, kind: JSONElement.Kind) {
    let byte = load(bytes, at)
    if byte == .quote { return (string(bytes, at, &seen), .string) }
    if byte.isDigit || byte == .hyphen { return number(bytes, at, &seen) }
    if byte | 0x20 == .openBrace {
      let kind: JSONElement.Kind = byte == .openBrace ? .object : .array
      // Most containers here are empty, such as options.
      if at &+ 1 < bytes.byteCount, load(bytes, at &+ 1) == byte &+ 2, outside < maximumDepth {
        return (at &+ 2, kind)
      }
      return (container(bytes, at, outside, maximumDepth, &spilled, &keys, &seen), kind)
    }
    return literal(bytes, at, &seen)
  }

  /// Scans a nested container with its content. It records nothing: most of a message is here, and
  /// only its validity matters.
  private static func container(
    _ bytes: RawSpan, _ start: Int, _ outside: Int, _ maximumDepth: Int,
    _ spilled: inout ContiguousArray<UInt64>, _ keys: inout KeyFilter, _ seen: inout Seen
  ) -> Int {
    let count = bytes.byteCount
    var at = start
    // Which open containers are objects, the innermost in the lowest bit; those beyond the
    // innermost 64 are spilled.
    var objects: UInt64 = 0
    var depth = 0
    while true {
      // At the first byte of a value.
      let byte = load(bytes, at)
      if byte == .quote {
        at = string(bytes, at, &seen)
        if at < 0 { return at }
      } else if byte.isDigit || byte == .hyphen {
        at = number(bytes, at, &seen).end
        if at < 0 { return at }
      } else if byte | 0x20 == .openBrace {
        guard outside &+ depth < maximumDepth else { return seen.failTooDeep(at) }
        if depth & 63 == 0 && depth > 0 {
          spilled.append(objects)
          seen.unplain = true
        }
        let isObject = UInt64(byte >> 5 & 1)
        objects = (objects << 1) | isObject
        depth &+= 1
        at = token(bytes, at &+ 1, &seen)
        guard at < count else { return seen.fail(bytes, at) }
        if load(bytes, at) != byte &+ 2 {
          if isObject == 1 {
            keys.begin(outside &+ depth)
            at = key(bytes, at, outside &+ depth, &keys, &seen).value
            if at < 0 { return at }
          }
          continue
        }
      } else {
        at = literal(bytes, at, &seen).end
        if at < 0 { return at }
      }
      // After a value, or at the end of an empty container.
      while true {
        // Fast path: most values are followed by a comma and directly by the next one.
        if at &+ 1 < count, load(bytes, at) == .comma, load(bytes, at &+ 1) > 0x20 {
          at &+= 1
          if objects & 1 == 1 {
            at = key(bytes, at, outside &+ depth, &keys, &seen).value
            if at < 0 { return at }
          }
          break
        }
        at = token(bytes, at, &seen)
        guard at < count else { return seen.fail(bytes, at) }
        let next = load(bytes, at)
        if next == .comma {
          at = token(bytes, at &+ 1, &seen)
          guard at < count else { return seen.fail(bytes, at) }
          if objects & 1 == 1 {
            at = key(bytes, at, outside &+ depth, &keys, &seen).value
            if at < 0 { return at }
          }
          break
        }
        guard next == UInt8(truncatingIfNeeded: 0x5D &+ (objects & 1) &* 0x20) else {
          return seen.fail(bytes, at)
        }
        at &+= 1
        depth &-= 1
        objects >>= 1
        if depth == 0 { return at }
        if depth & 63 == 0, let outer = spilled.popLast() { objects = outer }
      }
    }
  }

  /// Scans a key and its colon; returns the end of the key's text and the start of the value.
  @inline(__always)
  private static func key(
    _ bytes: RawSpan, _ start: Int, _ depth: Int, _ keys: inout KeyFilter, _ seen: inout Seen
  ) -> (end: Int, value: Int) {
    guard load(bytes, start) == .quote else { return (0, seen.fail(bytes, start)) }
    seen.keyEscape = false
    var at = string(bytes, start, &seen)
    if at < 0 { return (0, at) }
    let end = at &- 1
    // With escapes or at great depth, keys are not compared: they may repeat.
    if keys.insert(bytes, start &+ 1, at &- 1, depth) || depth > KeyFilter.mostDepth
      || seen.keyEscape
    {
      seen.repetition = true
    }
    if at &+ 1 < bytes.byteCount, load(bytes, at) == .colon, load(bytes, at &+ 1) > 0x20 {
      return (end, at &+ 1)
    }
    at = token(bytes, at, &seen)
    guard at < bytes.byteCount, load(bytes, at) == .colon else { return (0, seen.fail(bytes, at)) }
    at = token(bytes, at &+ 1, &seen)
    return (end, at < bytes.byteCount ? at : seen.fail(bytes, at))
  }

  /// The offset after any white space.
  @inline(__always)
  private static func token(_ bytes: RawSpan, _ at: Int, _ seen: inout Seen) -> Int {
    if at < bytes.byteCount, load(bytes, at) > 0x20 { return at }
    return space(bytes, at, &seen)
  }

  @inline(never)
  private static func space(_ bytes: RawSpan, _ start: Int, _ seen: inout Seen) -> Int {
    var at = start
    while at < bytes.byteCount, load(bytes, at).isJSONSpace { at &+= 1 }
    if at > start { seen.space = true }
    return at
  }
}
