// SPDX-License-Identifier: Apache-2.0

/// A TCP sequence number: a byte of the stream, modulo 2^32 (RFC 9293 §3.4).
struct SequenceNumber: Equatable, Sendable, BitwiseCopyable {
  var value: UInt32

  init(_ value: UInt32) { self.value = value }

  /// How far `other` lies ahead; negative when it lies behind. Numbers half the circle or more
  /// apart cannot be compared.
  @inline(__always) func distance(to other: SequenceNumber) -> Int64 {
    Int64(Int32(bitPattern: other.value &- value))
  }

  @inline(__always) static func + (number: SequenceNumber, octets: Int) -> SequenceNumber {
    SequenceNumber(number.value &+ UInt32(truncatingIfNeeded: octets))
  }
}
