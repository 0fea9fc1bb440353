// SPDX-License-Identifier: Apache-2.0
/// A buffer that is filled and read again and again; it grows and never shrinks.
public struct Scratch {
  @usableFromInline var store: ContiguousArray<UInt8> = []
  @usableFromInline var used = 0
  public init() {}
  @inlinable public var bytes: RawSpan {
    @_lifetime(borrow self) get { store.span.bytes.extracting(0..<used) }
  }
  public mutating func unmask(_ bytes: RawSpan, with key: UInt32) {
    let n = bytes.byteCount
    if store.count < n + 8 {
      store = ContiguousArray(repeating: 0, count: max(n + 8, store.count * 2))
    }
    let k = UInt64(key) | UInt64(key) << 32
    unsafe store.withUnsafeMutableBytes { o in
      var i = 0
      while i &+ 8 <= n {
        unsafe o.storeBytes(
          of: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: i, as: UInt64.self) ^ k,
          toByteOffset: i, as: UInt64.self);
        i &+= 8
      }
      while i < n {
        unsafe o[i] = bytes.byte(at: i) ^ UInt8(truncatingIfNeeded: key >> UInt32((i & 3) * 8));
        i &+= 1
      }
    }
    used = n
  }
}
