// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The byte order of the machine that wrote a file or a section of it.
enum ByteOrder {
  case big
  case little

  func uint16(_ bytes: RawSpan, at offset: Int) -> UInt16 {
    let value = bytes.uint16(at: offset)
    return self == .big ? value : value.byteSwapped
  }

  func uint32(_ bytes: RawSpan, at offset: Int) -> UInt32 {
    let value = bytes.uint32(at: offset)
    return self == .big ? value : value.byteSwapped
  }

  func uint64(_ bytes: RawSpan, at offset: Int) -> UInt64 {
    let value = bytes.uint64(at: offset)
    return self == .big ? value : value.byteSwapped
  }
}
