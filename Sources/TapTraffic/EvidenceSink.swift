// SPDX-License-Identifier: Apache-2.0

/// What inputs deliver to: packets, streams or messages. No input knows what stands above it.
public protocol EvidenceSink: AnyObject {
  /// False when as many messages were shown as were asked for: no more need be read.
  var wantsMore: Bool { get }
  /// One packet as captured.
  func packet(_ bytes: RawSpan, _ packet: Packet)
  /// The next bytes of a stream that is in no packets: of the conversation whose number comes with
  /// it, or what a pasted text stands for; an input has one of these at a time. Where the sides are
  /// told apart but not named, the first to speak is taken for the client and content corrects it;
  /// the direction is unknown where both sides' bytes may follow each other.
  func stream(_ bytes: RawSpan, _ delivery: Delivery)
  /// Bytes of the stream that the evidence lacks: as many as `missing`, or unknown.
  func gap(_ missing: Int?, _ delivery: Delivery)
  /// The stream of this input ends; another may begin.
  func endStream(_ delivery: Delivery)
  /// A conversation begins that the input tells apart from others. `delivery.origin.flow` is the
  /// input's own number for it, from 1, and comes with all that belongs to it. What it consists of
  /// says its carrier: bytes for a stream, whole messages for everything else.
  func opened(_ opening: Opening, _ delivery: Delivery)
  /// A conversation ends; its number may be used again.
  func closed(_ closing: Closing, _ delivery: Delivery)
  /// One message: of the conversation whose number comes with it, or pasted, which has none.
  func message(_ bytes: RawSpan, _ delivery: Delivery)
  /// One whole control frame of a conversation of messages, by its opcode (RFC 6455 §5.5).
  func control(_ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery)
  /// Text of the evidence that is no message, in its place; given only where it was asked for.
  func context(_ words: RawSpan, _ line: ContextLine)
  func finding(_ finding: Finding)
  /// Secrets of TLS sessions that the input brings, in the form of a key log (RFC 9850); empty when
  /// it is only known that it may bring some.
  func secrets(_ keyLog: RawSpan, _ origin: Origin)
  /// How an input was read that does not say itself what it is; told once.
  func recognised(_ verdict: InputVerdict, _ origin: Origin)
  /// Counts what no message of an input tells of.
  func count(_ thing: Counter, _ amount: Int)
  /// No packet has come for so many nanoseconds, none at first, of what may be a capture that is
  /// watched as it happens: then its clock is about that of this machine. Answers how long it has
  /// to be quiet until something that waits is to be looked at; nil when nothing does.
  func quiet(for silence: Int64, at now: Instant) -> Int64?
  /// What an input stands for was decoded, and is nothing that we read.
  func refuse(_ reason: String, _ origin: Origin)
}

/// For sinks that want captures and messages only.
extension EvidenceSink {
  public func opened(_ opening: Opening, _ delivery: Delivery) {}
  public func closed(_ closing: Closing, _ delivery: Delivery) {}
  public func control(_ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery) {}
  public func context(_ words: RawSpan, _ line: ContextLine) {}
  public var wantsMore: Bool { true }
  public func stream(_ bytes: RawSpan, _ delivery: Delivery) {}
  public func gap(_ missing: Int?, _ delivery: Delivery) {}
  public func endStream(_ delivery: Delivery) {}
  public func secrets(_ keyLog: RawSpan, _ origin: Origin) {}
  public func recognised(_ verdict: InputVerdict, _ origin: Origin) {}
  public func count(_ thing: Counter, _ amount: Int) {}
  public func refuse(_ reason: String, _ origin: Origin) {}
  public func quiet(for silence: Int64, at now: Instant) -> Int64? { nil }
}

/// What a capture says of one packet.
@frozen public struct Packet: Sendable, BitwiseCopyable {
  public var time: Instant
  /// Number in its input, from 1.
  public var number: UInt64
  /// Bytes on the wire; more than were captured when the packet was cut.
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
