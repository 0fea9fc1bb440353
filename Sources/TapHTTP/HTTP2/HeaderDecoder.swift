// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHPACK
import TapTraffic

/// The field sections of one direction (RFC 7541). Each one may refer to those before it, so that
/// after one that was lost or is broken no other can be read.
struct HeaderDecoder {
  /// The largest dynamic table that is kept, whatever a peer allows.
  private static let mostOctets = 1 << 20
  /// Values are strings to the decoder, in which an octet that is no UTF-8 takes three. With a
  /// table so many times as large as that of the sender, all is there that the sender refers to.
  private static let expansion = 3
  private static let firstTableSize = expansion * HPACKDecoder.maxDynamicTableSize

  /// Made for the first section: it takes some 20 KiB.
  private var decoder: HPACKDecoder?
  /// Octets that the table may take, and those of one section.
  private var tableSize = firstTableSize
  private let mostOfSection: Int
  private var room: Room
  /// Nothing can be read any more.
  private(set) var isLost = false

  init(limits: Limits) {
    mostOfSection = Self.expansion * limits.headBytes
    room = Room(limits.unfinishedBytes)
  }

  mutating func lose() {
    (isLost, decoder) = (true, nil)
    room.giveBack()
  }

  /// Takes what the table needs of `Limits.unfinishedBytes`; without it, nothing can be read any
  /// more.
  mutating func reserve() -> Bool {
    if isLost || room.reserve(tableSize) { return true }
    lose()
    return false
  }

  /// The receiver allows a table of this size; the sender says when it makes use of it.
  mutating func allow(_ octets: UInt32) {
    let size = Self.expansion * min(Int(octets), Self.mostOctets)
    if size <= tableSize { return }
    tableSize = size
    decoder?.maxDynamicTableLength = size
  }

  /// The fields of one section; nil when they cannot be read.
  mutating func fields(_ block: [UInt8]) -> [(name: String, value: [UInt8])]? {
    if isLost { return nil }
    var buffer = ByteBuffer(bytes: Self.expanded(block))
    if decoder == nil {
      decoder = HPACKDecoder(
        allocator: ByteBufferAllocator(), maxDynamicTableSize: Self.firstTableSize,
        maxHeaderListSize: mostOfSection)
      if tableSize > Self.firstTableSize { decoder!.maxDynamicTableLength = tableSize }
    }
    guard let headers = try? decoder!.decodeHeaders(from: &buffer) else {
      lose()
      return nil
    }
    return headers.map { ($0.name, Array($0.value.utf8)) }
  }

  /// A field section with the sizes of the table that it may begin with (RFC 7541 §6.3) made as
  /// much larger as the table is.
  private static func expanded(_ block: [UInt8]) -> [UInt8] {
    var sizes: [UInt8] = []
    var at = 0
    while at < block.count, block[at] & 0xE0 == 0x20 {
      var size = Int(block[at] & 0x1F)
      at += 1
      if size == 31 {
        var shift = 0
        while at < block.count && shift < 28 {
          size += Int(block[at] & 0x7F) << shift
          shift += 7
          at += 1
          if block[at - 1] < 0x80 { break }
        }
      }
      sizes += update(expansion * size)
    }
    return at == 0 ? block : sizes + block[at...]
  }

  /// RFC 7541 §5.1, with a prefix of five bits.
  private static func update(_ size: Int) -> [UInt8] {
    if size < 31 { return [0x20 | UInt8(size)] }
    var octets: [UInt8] = [0x3F]
    var rest = size - 31
    while rest >= 0x80 {
      octets.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return octets + [UInt8(rest)]
  }
}
