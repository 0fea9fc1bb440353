// SPDX-License-Identifier: Apache-2.0

/// What inputs deliver to: packets, streams or messages. No input knows what stands above it.
public protocol EvidenceSink: AnyObject {
  /// False once as many messages were shown as the user asked for: reading may stop.
  var wantsMore: Bool { get }
  /// One packet as captured.
  func packet(_ bytes: RawSpan, _ packet: Packet)
  /// The next bytes of a stream that is not in packets: of the conversation with the flow number of
  /// `delivery`, or of a pasted text. Where the sides are told apart but not named, the side that
  /// speaks first is taken for the client until the content shows otherwise. The direction is
  /// unknown where the bytes of both sides may be interleaved.
  func stream(_ bytes: RawSpan, _ delivery: Delivery)
  /// Bytes of the stream are missing: `missing` of them, nil for an unknown number.
  func gap(_ missing: Int?, _ delivery: Delivery)
  /// The stream of this input ends; another may begin.
  func endStream(_ delivery: Delivery)
  /// A conversation begins that the input tells apart from others. `delivery.origin.flow` is the
  /// input's own number for it, from 1, and comes with everything that belongs to it. A carrier of
  /// `.stream` delivers bytes, every other carrier whole messages.
  func opened(_ opening: Opening, _ delivery: Delivery)
  /// A conversation ends; its number may be reused.
  func closed(_ closing: Closing, _ delivery: Delivery)
  /// One message: of the conversation with the flow number of `delivery`, or a pasted one, which
  /// has no number.
  func message(_ bytes: RawSpan, _ delivery: Delivery)
  /// One whole control frame of a conversation of messages, by its opcode (RFC 6455 §5.5).
  func control(_ opcode: Opcode, _ payload: RawSpan, _ delivery: Delivery)
  /// Text of the evidence around the messages, in order; called only where it was asked for.
  func context(_ words: RawSpan, _ line: ContextLine)
  func finding(_ finding: Finding)
  /// TLS secrets that the input contains, in the form of a key log (RFC 9850); empty to announce
  /// that the input may bring some later.
  func secrets(_ keyLog: RawSpan, _ origin: Origin)
  /// How an input was read whose format does not identify itself; called once.
  func recognised(_ verdict: InputVerdict, _ origin: Origin)
  /// Counts what no message shows.
  func count(_ thing: Counter, _ amount: Int)
  /// No packet has come for `silence` nanoseconds (0 the first time) from what may be a live
  /// capture, whose clock is then about that of this machine. Returns after how much silence to
  /// call again, because something waits; nil when nothing does.
  func quiet(for silence: Int64, at now: Instant) -> Int64?
  /// The bytes that a text stands for (hexadecimal, base64) are no protocol that we read; `reason`
  /// describes them.
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

  /// The same, by its parts.
  public func finding(
    _ code: Finding.Code, _ severity: Finding.Severity, _ origin: Origin, _ text: String,
    isAboutLastMessage: Bool = false
  ) {
    finding(Finding(code, severity, origin, text, isAboutLastMessage: isAboutLastMessage))
  }
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
