// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Whether the checksums of one direction are right, and then which segment's is not (RFC 9293
/// §3.1). On the host that sends they are often still to be filled in, by the network card, when
/// the packet is captured, so that nothing is believed of them but what several segments agree on:
/// header, payload and length add up to the same number in each, which is that of the addresses.
struct Checksums: Sendable, BitwiseCopyable {
  /// Three numbers of 16 bits that agree do not do so by chance.
  private static let enough: UInt8 = 3
  /// So many segments that agree with none before them: the sender fills in no checksums.
  private static let tooMany: UInt8 = 16

  /// What the last segments added up to, and how many of them.
  private var constant: UInt16 = 0
  private var agreeing: UInt8 = 0
  private var strangers: UInt8 = 0

  /// They are not looked at any more.
  @inline(__always) var isOff: Bool { strangers >= Self.tooMany }
  /// It is known what right ones add up to.
  @inline(__always) var areKnown: Bool { agreeing >= Self.enough }

  /// Learns from a segment without payload.
  mutating func learn(_ header: RawSpan) {
    if !isOff && !areKnown { _ = isWrong(header, 0, 0) }
  }

  /// Learns from a segment, or judges it.
  ///
  /// - Parameters:
  ///   - header: the header of TCP.
  ///   - sum: that of the payload.
  /// - Returns: whether the segment is not what was sent.
  @inline(__always)
  mutating func isWrong(_ header: RawSpan, _ length: Int, _ sum: UInt64) -> Bool {
    // The length stands in the pseudo header, as a pair of bytes.
    let size = UInt64(UInt16(truncatingIfNeeded: header.byteCount &+ length).byteSwapped)
    let total = UInt16((header.wordSum &+ sum &+ size) % 0xFFFF)
    if total == constant && agreeing > 0 {
      if agreeing < Self.enough { agreeing &+= 1 }
      return false
    }
    return isStrange(header, total, size)
  }

  @inline(never)
  private mutating func isStrange(_ header: RawSpan, _ total: UInt16, _ size: UInt64) -> Bool {
    guard areKnown else {
      (constant, agreeing) = (total, 1)
      strangers &+= 1
      return false
    }
    let field = UInt64(header.uint16(at: 16).byteSwapped)
    // What is left to the network card: nothing, or the sum of the pseudo header, with or without
    // the length. So are segments that the receiving card has put together.
    let addresses = 0xFFFF &- UInt64(constant)
    let isToBeFilledIn =
      field == 0 || field % 0xFFFF == addresses % 0xFFFF
      || field % 0xFFFF == (addresses &+ size) % 0xFFFF
    return !isToBeFilledIn
  }

  /// The receiver took a segment whose checksum seemed wrong.
  mutating func giveUp() { (agreeing, strangers) = (0, Self.tooMany) }
}
