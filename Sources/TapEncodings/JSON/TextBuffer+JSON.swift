// SPDX-License-Identifier: Apache-2.0
public import TapBytes

extension TextBuffer {
  /// Appends well-formed JSON without the white space between its tokens; all else stays as it was
  /// sent, but that controls are written as escapes.
  public mutating func append(compactJSON bytes: RawSpan) {
    var clean = 0
    var at = 0
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      if byte == 0x22 {
        at &+= 1
        while at < bytes.byteCount, bytes.byte(at: at) != 0x22 {
          at &+= bytes.byte(at: at) == 0x5C ? 2 : 1
        }
        at = min(at &+ 1, bytes.byteCount)
      } else if JSONScanner.isSpace(byte) {
        append(escapingJSON: bytes.extracting(clean..<at))
        at &+= 1
        clean = at
      } else {
        at &+= 1
      }
    }
    append(escapingJSON: bytes.extracting(clean..<at))
  }
}
