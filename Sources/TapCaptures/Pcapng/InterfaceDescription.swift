// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// One interface of a section: its link type, snaplen and clock.
struct InterfaceDescription {
  /// The length up to and including the snaplen, in bytes.
  static let length = 16

  var linkType: UInt16
  /// 0 for no limit.
  var snaplen: UInt32
  var clock = Clock()

  ///      0                   1                   2                   3
  ///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  ///     +---------------------------------------------------------------+
  ///     |                     block type = 0x00000001                   |
  ///     +---------------------------------------------------------------+
  ///     |                       block total length                      |
  ///     +-------------------------------+-------------------------------+
  ///     |           link type           |           reserved            |
  ///     +-------------------------------+-------------------------------+
  ///     |                            snaplen                            |
  ///     +---------------------------------------------------------------+
  ///     /                            options                            /
  ///     +---------------------------------------------------------------+
  ///
  /// draft-ietf-opsawg-pcapng §4.2. if_fcslen is not used: IP has its own length, so trailing bytes
  /// are never taken for payload.
  ///
  /// - Parameter block: without its trailing length. Nil when it is too short.
  static func parse(_ block: RawSpan, _ order: ByteOrder) -> InterfaceDescription? {
    guard block.byteCount >= length else { return nil }
    var interface = InterfaceDescription(
      linkType: order.uint16(block, at: 8), snaplen: order.uint32(block, at: 12))
    var seconds: Int64 = 0
    var options = BlockOptions(from: length)
    while let option = options.next(in: block, order) {
      switch (option.code, option.value.count) {
      case (9, 1): interface.clock = Clock(resolution: block.byte(at: option.value.start))
      case (14, 8): seconds = Int64(bitPattern: order.uint64(block, at: option.value.start))
      default: continue
      }
    }
    interface.clock.offset = seconds
    return interface
  }
}
