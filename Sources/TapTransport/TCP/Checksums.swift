// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Finds out whether the checksums of one direction can be trusted, and then which segments have a
/// wrong one (RFC 9293 §3.1). On the sending host, the network card often has yet to fill them in
/// when the packet is captured. So they are trusted only once several segments agree: header,
/// payload and length must add up to the same number, which comes from the addresses.
struct Checksums: Sendable, BitwiseCopyable {
  /// Three 16-bit sums that agree do not do so by chance.
  private static let enough: UInt8 = 3
  /// After this many segments that disagree with those before them, the sender seems to fill in no
  /// checksums.
  private static let tooMany: UInt8 = 16

  /// The payload of an Ethernet frame. The network card has merged what is longer, or has yet to
  /// cut it, so that its checksum says nothing.
  static let mostBytes = 1460

  /// The sum of the last segments, and how many had it; `strangers` counts those that differed.
  private var constant: UInt16 = 0
  private var agreeing: UInt8 = 0
  private var strangers: UInt8 = 0

  /// Checksums are not examined any more.
  @inline(__always) var isOff: Bool { strangers >= Self.tooMany }
  /// It is known what correct segments add up to.
  @inline(__always) var areKnown: Bool { agreeing >= Self.enough }

  /// Learns from a segment without payload.
  mutating func learn(_ header: RawSpan) {
    if !isOff && !areKnown { _ = isWrong(header, 0, 0) }
  }

  /// Learns from a segment, or judges it.
  ///
  /// - Parameters:
  ///   - header: the TCP header.
  ///   - sum: the sum of the payload.
  /// - Returns: whether the segment was damaged.
  @inline(__always)
  mutating func isWrong(_ header: RawSpan, _ length: Int, _ sum: UInt64) -> Bool {
    // The length is in the pseudo header, as two bytes.
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
    // With checksum offload, the field is 0, or the sum of the pseudo header with or without the
    // length. So it is in segments that the receiving card has merged.
    let addresses = 0xFFFF &- UInt64(constant)
    let isToBeFilledIn =
      field == 0 || field % 0xFFFF == addresses % 0xFFFF
      || field % 0xFFFF == (addresses &+ size) % 0xFFFF
    return !isToBeFilledIn
  }

  /// The receiver accepted a segment whose checksum seemed wrong: stops examining them.
  mutating func giveUp() { (agreeing, strangers) = (0, Self.tooMany) }
}
