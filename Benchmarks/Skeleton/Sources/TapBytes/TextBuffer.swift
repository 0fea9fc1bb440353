// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
/// Append-only UTF-8 text in memory of its own.
public struct TextBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var room: Int
  public private(set) var count = 0
  public init() { room = 1 << 16; base = .allocate(capacity: room) }
  deinit { unsafe base.deallocate() }
  mutating func reserve(_ n: Int) {
    if count &+ n <= room { return }
    let more = max(room * 2, count + n), new = UnsafeMutablePointer<UInt8>.allocate(capacity: more)
    unsafe new.update(from: base, count: count); unsafe base.deallocate(); unsafe base = new;
    room = more
  }
  public mutating func append(_ s: StaticString) {
    let n = s.utf8CodeUnitCount; reserve(n)
    unsafe (base + count).update(from: s.utf8Start, count: n); count &+= n
  }
  public mutating func append(_ bytes: RawSpan) {
    let n = bytes.byteCount; reserve(n)
    unsafe bytes.withUnsafeBytes { p in
      if n > 0 {
        unsafe UnsafeMutableRawPointer(base + count).copyMemory(from: p.baseAddress!, byteCount: n)
      }
    }
    count &+= n
  }
  public mutating func append(decimal v: Int) {
    reserve(20)
    var n = v.magnitude
    if v < 0 { unsafe base[count] = 0x2d; count &+= 1 }
    var len = 1, m = n; while m >= 10 { m /= 10; len &+= 1 }
    var i = count &+ len
    repeat {
      i &-= 1; unsafe base[i] = 48 &+ UInt8(truncatingIfNeeded: n % 10); n /= 10
    } while i > count
    count &+= len
  }
  public mutating func flush(to fd: Int32) { _ = unsafe write(fd, base, count); count = 0 }
}
