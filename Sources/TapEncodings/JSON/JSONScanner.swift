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
  public private(set) var elements = ContiguousArray<JSONElement>()
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
    elements.reserveCapacity(8)
  }

  /// Whether the whole of what was scanned is one JSON text and nothing else.
  public var isStrict: Bool { problem == nil && !hasNonFinite }

  /// Scans the value that begins at `start`, with white space around it, and answers the offset
  /// behind it; nil, with `problem` set, when there is none.
  @discardableResult
  public mutating func scan(_ bytes: RawSpan, from start: Int = 0) -> Int? {
    elements.removeAll(keepingCapacity: true)
    (isArray, problem, hasSpace, hasUnplain, hasNonFinite) = (false, nil, false, false, false)
    spilled.removeAll(keepingCapacity: true)
    var at = start
    let failure = run(bytes, &at)
    offset = at
    problem = failure
    return failure == nil ? at : nil
  }

  private mutating func run(_ bytes: RawSpan, _ position: inout Int) -> Problem? {
    let count = bytes.byteCount
    var at = position
    var depth = 0
    var objects: UInt64 = 0
    var elementStart = 0
    var elementKind = JSONElement.Kind.null
    var wantsKey = false
    var mayClose = false
    var sawSpace = false
    defer {
      position = at
      if sawSpace { hasSpace = true }
    }

    values: while true {
      // A value, or a key, or the end of an empty container.
      while at < count, Self.isSpace(bytes.byte(at: at)) {
        at &+= 1
        sawSpace = true
      }
      guard at < count else { return .incomplete }
      let first = bytes.byte(at: at)
      if wantsKey {
        if first == 0x7D && mayClose {
          at &+= 1
        } else {
          guard first == 0x22 else { return .unexpected }
          if let problem = skipString(bytes, &at) { return problem }
          while at < count, Self.isSpace(bytes.byte(at: at)) {
            at &+= 1
            sawSpace = true
          }
          guard at < count else { return .incomplete }
          guard bytes.byte(at: at) == 0x3A else { return .unexpected }
          at &+= 1
          (wantsKey, mayClose) = (false, false)
          continue values
        }
      } else if first == 0x5D && mayClose {
        at &+= 1
      } else {
        let start = at
        let kind: JSONElement.Kind
        switch first {
        case 0x22:
          if let problem = skipString(bytes, &at) { return problem }
          kind = .string
        case 0x30...0x39, 0x2D:
          guard let number = skipNumber(bytes, &at) else {
            return at < count ? .unexpected : .incomplete
          }
          kind = number
        case 0x5B, 0x7B:
          let isObject = first == 0x7B
          guard depth < maximumDepth else { return .tooDeep }
          if depth == 0 {
            isArray = !isObject
            if isObject { (elementStart, elementKind) = (at, .object) }
          } else if depth == 1 && isArray {
            (elementStart, elementKind) = (at, isObject ? .object : .array)
          }
          if depth > 0 && depth & 63 == 0 { spilled.append(objects) }
          objects = objects << 1 | (isObject ? 1 : 0)
          depth &+= 1
          at &+= 1
          (wantsKey, mayClose) = (isObject, true)
          continue values
        default:
          guard let literal = skipLiteral(bytes, &at) else {
            return at < count ? .unexpected : .incomplete
          }
          kind = literal
        }
        if depth == 0 || (depth == 1 && isArray) {
          elements.append(JSONElement(kind, ByteRange(start, at)))
        }
        if depth == 0 { break values }
        // What may follow a value: a comma or the end of its container.
        while at < count, Self.isSpace(bytes.byte(at: at)) {
          at &+= 1
          sawSpace = true
        }
        guard at < count else { return .incomplete }
        let next = bytes.byte(at: at)
        if next == 0x2C {
          at &+= 1
          (wantsKey, mayClose) = (objects & 1 == 1, false)
          continue values
        }
        guard next == (objects & 1 == 1 ? 0x7D : 0x5D) else { return .unexpected }
        at &+= 1
      }

      // A container was closed; so may the ones around it be.
      while true {
        depth &-= 1
        objects >>= 1
        if depth > 0 && depth & 63 == 0, let outer = spilled.popLast() { objects = outer }
        if depth == 0 {
          if !isArray { elements.append(JSONElement(elementKind, ByteRange(elementStart, at))) }
          break values
        }
        if depth == 1 && isArray {
          elements.append(JSONElement(elementKind, ByteRange(elementStart, at)))
        }
        while at < count, Self.isSpace(bytes.byte(at: at)) {
          at &+= 1
          sawSpace = true
        }
        guard at < count else { return .incomplete }
        let next = bytes.byte(at: at)
        if next == 0x2C {
          at &+= 1
          (wantsKey, mayClose) = (objects & 1 == 1, false)
          continue values
        }
        guard next == (objects & 1 == 1 ? 0x7D : 0x5D) else { return .unexpected }
        at &+= 1
      }
    }
    while at < count, Self.isSpace(bytes.byte(at: at)) {
      at &+= 1
      sawSpace = true
    }
    return nil
  }

  @inline(__always) static func isSpace(_ byte: UInt8) -> Bool {
    byte <= 0x20 && (byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09)
  }

  /// From the opening quote to behind the closing one, eight bytes at a time.
  @inline(__always)
  private mutating func skipString(_ bytes: RawSpan, _ at: inout Int) -> Problem? {
    let count = bytes.byteCount
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    at &+= 1
    while true {
      while at &+ 8 <= count {
        let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: at, as: UInt64.self)
          .littleEndian
        let quote = word ^ ones &* 0x22
        let slash = word ^ ones &* 0x5C
        let hit =
          ((quote &- ones) & ~quote | (slash &- ones) & ~slash
            | (word &- ones &* 0x20) & ~word | word) & tops
        if hit == 0 {
          // DEL is the one byte of seven bits that is not printable and got this far.
          let delete = word ^ ones &* 0x7F
          if (delete &- ones) & ~delete & tops != 0 { hasUnplain = true }
          at &+= 8
          continue
        }
        // The same for the bytes ahead of the one that stopped us.
        let ahead = (hit & (0 &- hit)) &- 1
        let delete = word ^ ones &* 0x7F
        if (delete &- ones) & ~delete & tops & ahead != 0 { hasUnplain = true }
        at &+= hit.trailingZeroBitCount &>> 3
        break
      }
      guard at < count else { return .incomplete }
      let byte = bytes.byte(at: at)
      if byte == 0x22 {
        at &+= 1
        return nil
      }
      if byte == 0x5C {
        guard at &+ 1 < count else {
          at = count
          return .incomplete
        }
        switch bytes.byte(at: at &+ 1) {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: at &+= 2
        case 0x75:
          at &+= 2
          for _ in 0..<4 {
            guard at < count else { return .incomplete }
            guard Self.hexDigit(bytes.byte(at: at)) != nil else { return .unexpected }
            at &+= 1
          }
        default:
          at &+= 1
          return .unexpected
        }
      } else if byte < 0x20 {
        return .unexpected
      } else {
        if byte >= 0x7F { hasUnplain = true }
        at &+= 1
      }
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

  @inline(__always)
  private mutating func skipNumber(_ bytes: RawSpan, _ at: inout Int) -> JSONElement.Kind? {
    let count = bytes.byteCount
    var kind = JSONElement.Kind.natural
    if bytes.byte(at: at) == 0x2D {
      kind = .number
      at &+= 1
      guard at < count else { return nil }
      if bytes.byte(at: at) == 0x49 { return skipLiteral(bytes, &at) }
    }
    let start = at
    while at < count, Self.isDigit(bytes.byte(at: at)) { at &+= 1 }
    guard at > start else { return nil }
    if at > start &+ 1 && bytes.byte(at: start) == 0x30 {
      at = start &+ 1
      return nil
    }
    if at < count, bytes.byte(at: at) == 0x2E {
      kind = .number
      at &+= 1
      let fraction = at
      while at < count, Self.isDigit(bytes.byte(at: at)) { at &+= 1 }
      guard at > fraction else { return nil }
    }
    if at < count, bytes.byte(at: at) | 0x20 == 0x65 {
      kind = .number
      at &+= 1
      if at < count, bytes.byte(at: at) == 0x2B || bytes.byte(at: at) == 0x2D { at &+= 1 }
      let exponent = at
      while at < count, Self.isDigit(bytes.byte(at: at)) { at &+= 1 }
      guard at > exponent else { return nil }
    }
    return kind
  }

  @inline(__always) private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private mutating func skipLiteral(_ bytes: RawSpan, _ at: inout Int) -> JSONElement.Kind? {
    let kind: JSONElement.Kind
    let word: StaticString
    switch bytes.byte(at: at) {
    case 0x74: (kind, word) = (.yes, "true")
    case 0x66: (kind, word) = (.no, "false")
    case 0x6E: (kind, word) = (.null, "null")
    case 0x4E: (kind, word) = (.nonFinite, "NaN")
    case 0x49: (kind, word) = (.nonFinite, "Infinity")
    default: return nil
    }
    let expected = unsafe word.utf8Start
    for index in 0..<word.utf8CodeUnitCount {
      guard at < bytes.byteCount, bytes.byte(at: at) == (unsafe expected[index]) else { return nil }
      at &+= 1
    }
    if kind == .nonFinite { hasNonFinite = true }
    return kind
  }
}
