// SPDX-License-Identifier: Apache-2.0
/// Finds the elements of a JSON array without building anything.
public struct ElementStarts {
  public var s: (Int, Int, Int, Int, Int, Int) = (1, 0, 0, 0, 0, 0); public var count = 1;
  public init() {}
}
extension RawSpan {
  /// Start offsets of the first six elements of the array that begins at 0.
  public func arrayElements() -> ElementStarts {
    var r = ElementStarts(), depth = 1, i = 1
    let n = byteCount
    while i < n {
      let c = unsafe unsafeLoad(fromUncheckedByteOffset: i, as: UInt8.self)
      i &+= 1
      switch c {
      case 0x22:
        // inside a string: eight bytes at a time until a quote or a backslash
        while true {
          while i &+ 8 <= n {
            let w = unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: i, as: UInt64.self)
            let q = w ^ 0x2222222222222222, e = w ^ 0x5c5c5c5c5c5c5c5c
            let hit =
              ((q &- 0x0101010101010101) & ~q | (e &- 0x0101010101010101) & ~e) & 0x8080808080808080
            if hit == 0 { i &+= 8; continue }
            i &+= hit.trailingZeroBitCount >> 3; break
          }
          guard i < n else { return r }
          let d = unsafe unsafeLoad(fromUncheckedByteOffset: i, as: UInt8.self)
          i &+= 1
          if d == 0x22 { break }
          if d == 0x5c { i &+= 1 }
        }
      case 0x5b, 0x7b: depth &+= 1
      case 0x5d, 0x7d: depth &-= 1; if depth == 0 { return r }
      case 0x2c where depth == 1:
        switch r.count {
        case 1: r.s.1 = i;
        case 2: r.s.2 = i;
        case 3: r.s.3 = i;
        case 4: r.s.4 = i;
        default: r.s.5 = i
        }
        r.count &+= 1
      default: break
      }
    }
    return r
  }
}
