// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapEvidence
public import TapTraffic

/// Text in UTF-16 (RFC 2781), as `>` of Windows PowerShell and many programs of Windows write it:
/// converted to UTF-8, and read as whatever input that is.
public struct UTF16Input: InputKind {
  public static let name: StaticString = "utf-16"

  /// Bytes of the beginning that are looked at, and how many it must have without a byte order
  /// mark.
  private static let looked = 64
  private static let least = 16
  /// U+FFFE, which is no character: the mark in the other order.
  private static let swappedMark: UInt16 = 0xFFFE

  private let place: Place
  private var inner: Unwrapped
  private var isLittleEndian = true
  /// The first byte of a unit whose second has not come.
  private var half: UInt8?
  /// The first of two surrogates; 0 for none.
  private var high: UInt16 = 0
  /// Bytes that were read.
  private var offset: UInt64 = 0
  /// Units that are no UTF-16: how many, and the offset of the first.
  private var invalid: (count: UInt64, first: UInt64) = (0, 0)
  private var text = Scratch()

  public init?(_ place: Place, limits: Limits) {
    // There is no UTF-16 inside of UTF-16.
    if place.isDecoded { return nil }
    self.place = place
    inner = Unwrapped(of: Self.name, in: place, limits, isText: true)
  }

  /// With a byte order mark, some characters of ASCII have to follow, as logs have in any language;
  /// NUL is none, since UTF-32 begins the same way. Without one, all of it must be ASCII.
  public static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    guard head.byteCount > 1 else {
      let first = head.isEmpty ? 0 : head.byte(at: 0)
      return isAll || !(first >= 0xFE || first == 0 || isPlain(UInt16(first))) ? .no : .undecided
    }
    let isLittle = isLittleEndian(head.uint16(at: 0))
    let count = min(head.byteCount, looked) & ~1
    let hasMark = unit(head, 0, isLittle) == 0xFEFF
    var plain = 0
    for at in stride(from: hasMark ? 2 : 0, to: count, by: 2) {
      let unit = unit(head, at, isLittle)
      if unit == 0 { return .no }
      if isPlain(unit) { plain += 1 } else if !hasMark { return .no }
    }
    guard count == looked || isAll else { return .undecided }
    return hasMark ? plain * 16 < count - 2 ? .no : .yes : count < least ? .no : .yes
  }

  /// The byte order of text whose first unit this is: the mark, or a character of ASCII.
  private static func isLittleEndian(_ first: UInt16) -> Bool {
    first == swappedMark || first & 0xFF == 0
  }

  /// Whether a unit is a character of ASCII as texts have them.
  private static func isPlain(_ unit: UInt16) -> Bool {
    (0x20..<0x7F).contains(unit) || (0x09...0x0D).contains(unit) || unit == 0x1B
  }

  @inline(__always)
  private static func unit(_ bytes: RawSpan, _ at: Int, _ isLittle: Bool) -> UInt16 {
    isLittle ? bytes.uint16(at: at).byteSwapped : bytes.uint16(at: at)
  }

  public mutating func receive(_ chunk: RawSpan, _ sink: any EvidenceSink) {
    var at = 0
    if let first = half, !chunk.isEmpty {
      half = nil
      take(UInt16(first) << 8 | UInt16(chunk.byte(at: 0)))
      at = 1
    }
    while at + 1 < chunk.byteCount {
      take(chunk.uint16(at: at))
      at += 2
    }
    if at < chunk.byteCount { half = chunk.byte(at: at) }
    inner.take(&text, sink)
  }

  public var waiting: UInt64? { inner.waiting }
  public mutating func settle(_ sink: any EvidenceSink) { inner.settle(sink) }

  public mutating func finish(_ sink: any EvidenceSink) {
    if half != nil || high != 0 { replace(at: offset) }
    inner.take(&text, sink)
    inner.finish(sink)
    if invalid.count == 0 { return }
    let (are, them) = invalid.count == 1 ? ("is", "it") : ("are", "them")
    sink.finding(
      .utf16Invalid, .warning, place.origin(invalid.first),
      "\(counted(invalid.count, "unit")) of the text \(are) no UTF-16, the first at"
        + " \(place.byte(invalid.first)): U+FFFD stands for \(them)")
  }

  /// A unit, its bytes in the order in which they came.
  @inline(__always)
  private mutating func take(_ octets: UInt16) {
    if offset == 0 {
      isLittleEndian = Self.isLittleEndian(octets)
      offset = 2
      if octets == 0xFEFF || octets == Self.swappedMark { return }
    } else {
      offset += 2
    }
    let unit = isLittleEndian ? octets.byteSwapped : octets
    if unit < 0x80 && high == 0 { text.append(UInt8(truncatingIfNeeded: unit)) } else { add(unit) }
  }

  /// Adds a unit that may be half of a surrogate pair.
  private mutating func add(_ unit: UInt16) {
    let isLow = unit & 0xFC00 == 0xDC00
    if high != 0 {
      if isLow {
        append(0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF)))
        high = 0
        return
      }
      replace(at: offset - 4)
    }
    high = unit & 0xFC00 == 0xD800 ? unit : 0
    if isLow { replace(at: offset - 2) } else if high == 0 { append(UInt32(unit)) }
  }

  private mutating func replace(at place: UInt64) {
    if invalid.count == 0 { invalid.first = place }
    invalid.count += 1
    append(0xFFFD)
  }

  private mutating func append(_ scalar: UInt32) {
    for byte in Unicode.UTF8.encode(Unicode.Scalar(scalar)!)! { text.append(byte) }
  }
}

extension Finding.Code {
  static let utf16Invalid: Finding.Code = "utf16.invalid"
}
