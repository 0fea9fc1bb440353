// SPDX-License-Identifier: Apache-2.0

/// The doors into the stack for inputs, one per floor, so that no input knows what stands above it.
public protocol Floor: AnyObject {
  /// One packet as captured.
  func packet(_ bytes: RawSpan, _ packet: Packet)
  /// One message whose conversation is not known: pasted, or found in a log.
  func message(_ bytes: RawSpan, _ delivery: Delivery)
  func finding(_ finding: Finding)
}

/// What a capture says of one packet.
@frozen public struct Packet: Sendable, BitwiseCopyable {
  public var time: Instant
  /// Number in its input, from 1.
  public var number: UInt64
  /// Octets on the wire; more than were captured when the packet was cut.
  public var originalLength: UInt32
  /// The LINKTYPE_ value of its interface (https://www.tcpdump.org/linktypes.html).
  public var linkType: UInt16
  public var input: UInt16
  /// Decimal digits of the clock.
  public var precision: UInt8
  /// The evidence ends inside it; its input has said so.
  public var isInterrupted = false

  @inlinable public init(
    time: Instant, number: UInt64, originalLength: UInt32, linkType: UInt16, input: UInt16 = 0,
    precision: UInt8 = 6
  ) {
    self.time = time
    self.number = number
    self.originalLength = originalLength
    self.linkType = linkType
    self.input = input
    self.precision = precision
  }
}
