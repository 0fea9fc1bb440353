// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A short text that lives as long as the process: a literal, or an interned name from an
/// application's traffic. Passing one costs no reference counting.
@frozen @safe public struct Symbol: @unchecked Sendable, BitwiseCopyable {
  /// The memory is never changed or freed.
  public let utf8Start: UnsafePointer<UInt8>
  public let utf8CodeUnitCount: Int

  @inlinable @inline(__always) public init(_ text: StaticString) {
    unsafe (utf8Start, utf8CodeUnitCount) = (text.utf8Start, text.utf8CodeUnitCount)
  }

  /// A copy that is never freed.
  private init(copying text: RawSpan) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.byteCount, alignment: 1)
    unsafe text.withUnsafeBytes { unsafe copy.copyMemory(from: $0) }
    let start = unsafe copy.baseAddress!.assumingMemoryBound(to: UInt8.self)
    unsafe (utf8Start, utf8CodeUnitCount) = (UnsafePointer(start), text.byteCount)
  }

  /// The interned texts by fingerprint, and by number for equal fingerprints.
  private static let interned = Mutex(IDTable<Symbol>())

  /// The unique symbol of this text.
  ///
  /// - Parameter most: the limit of interned texts in the process.
  /// - Returns: nil when the limit is reached.
  public static func interned(_ text: RawSpan, most: Int) -> Symbol? {
    if text.isEmpty { return Symbol("") }
    return interned.withLock { known in
      var key = WideKey(0, text.fingerprint)
      while let symbol = known[key] {
        if text.equals(symbol: symbol) { return symbol }
        key.high += 1
      }
      if known.count >= most { return nil }
      let symbol = Symbol(copying: text)
      known[key] = symbol
      return symbol
    }
  }

  /// Whether text from the wire may be a name: ASCII letters, digits and punctuation that need no
  /// escape in any output, as outputs write symbols unescaped.
  public static func isName(_ text: RawSpan) -> Bool {
    if text.isEmpty || text.byteCount > 64 { return false }
    for at in 0..<text.byteCount {
      let byte = text.byte(at: at)
      if byte <= 0x20 || byte >= 0x7F || byte == .quote || byte == .backslash { return false }
    }
    return true
  }

  /// The bytes, lent for the call.
  @inlinable public var octets: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }

  /// Its first eight bytes, like `RawSpan.beginning(of:)`.
  public var beginning: UInt64 {
    unsafe RawSpan(_unsafeBytes: octets).beginning(of: ByteRange(0, utf8CodeUnitCount))
  }

  /// Symbols with the same identity have the same text, but one text may have several identities.
  @inlinable public var identity: UInt64 {
    unsafe UInt64(UInt(bitPattern: utf8Start)) ^ UInt64(truncatingIfNeeded: utf8CodeUnitCount) << 56
  }

  /// Whether both are the same text.
  @inlinable public func equals(_ other: Symbol) -> Bool {
    if unsafe utf8Start == other.utf8Start && utf8CodeUnitCount == other.utf8CodeUnitCount {
      return true
    }
    return unsafe octets.elementsEqual(other.octets)
  }
}

extension Symbol: ExpressibleByStringLiteral {
  @inlinable @inline(__always) public init(stringLiteral text: StaticString) { self.init(text) }
}

extension Symbol: CustomStringConvertible {
  public var description: String { unsafe String(decoding: octets, as: Unicode.UTF8.self) }
}
