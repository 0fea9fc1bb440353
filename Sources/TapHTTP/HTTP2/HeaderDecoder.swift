// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHPACK
import TapTraffic

/// The field sections of one direction (RFC 7541). Each one may refer to those before it, so that
/// after one that was lost or is broken no other can be read.
struct HeaderDecoder {
  /// The largest dynamic table that is kept, whatever a peer allows.
  private static let mostOctets = 1 << 20

  private var decoder: HPACKDecoder
  /// Nothing can be read any more.
  private(set) var isLost = false

  init(limits: Limits) {
    decoder = HPACKDecoder(
      allocator: ByteBufferAllocator(), maxDynamicTableSize: HPACKDecoder.maxDynamicTableSize,
      maxHeaderListSize: limits.headBytes)
  }

  mutating func lose() { isLost = true }

  /// The receiver allows a table of this size; the sender says when it makes use of it.
  mutating func allow(_ octets: UInt32) {
    let size = min(Int(octets), Self.mostOctets)
    if size > decoder.maxDynamicTableLength { decoder.maxDynamicTableLength = size }
  }

  /// The fields of one section; nil when they cannot be read.
  mutating func fields(_ block: [UInt8]) -> [(name: String, value: [UInt8])]? {
    if isLost { return nil }
    var buffer = ByteBuffer(bytes: block)
    guard let headers = try? decoder.decodeHeaders(from: &buffer) else {
      isLost = true
      return nil
    }
    return headers.map { ($0.name, Array($0.value.utf8)) }
  }
}
