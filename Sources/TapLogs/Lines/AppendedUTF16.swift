// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Looks for UTF-16 in a text that began in another encoding, as `>>` of Windows PowerShell appends
/// it to what others have written: every other byte of it is NUL.
struct AppendedUTF16 {
  /// So many bytes of which every other one is NUL are no coincidence.
  private static let least = 32

  private var isFound = false
  /// The offset in the file of what was not looked at yet.
  private var offset: UInt64
  /// How many of the last bytes are in turn NUL and not, and whether the last one is.
  private var run = 0
  private var isNUL = false

  /// - Parameter offset: where in the file the text begins.
  init(from offset: UInt64) { self.offset = offset }

  /// Passes over `count` bytes without a NUL.
  mutating func pass(_ count: Int) {
    offset += UInt64(count)
    (run, isNUL) = (run > 0 && count == 1 && isNUL ? run + 1 : 1, false)
  }

  /// The next bytes; answers, once, where it begins, and behind how many of these it was found.
  ///
  /// - Parameter chunk: cut anywhere.
  mutating func find(in chunk: RawSpan) -> (start: UInt64, found: Int)? {
    if isFound { return nil }
    var at = 0
    defer { offset += UInt64(chunk.byteCount) }
    while at < chunk.byteCount {
      if run <= 1 {
        // Nothing begins ahead of the byte before the next NUL.
        let next = chunk.firstIndex(of: 0, from: at) ?? chunk.byteCount
        if next > at { (at, run, isNUL) = (next, 1, false) }
        if at == chunk.byteCount { break }
      }
      let byte = chunk.byte(at: at)
      run = run > 0 && isNUL != (byte == 0) ? run + 1 : 1
      isNUL = byte == 0
      at += 1
      if run == Self.least {
        isFound = true
        return (offset + UInt64(at) - UInt64(run), at)
      }
    }
    return nil
  }
}
