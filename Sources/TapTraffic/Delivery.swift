// SPDX-License-Identifier: Apache-2.0

/// What comes with lent bytes: where they were found and what they are.
@frozen public struct Delivery: Sendable, BitwiseCopyable {
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// Part of an ordered byte stream; where a delivery begins and ends means nothing.
    case stream
    /// One whole message of text.
    case text
    /// One whole message that is marked as text, but is not valid UTF-8.
    case brokenText
    /// A text message with unknown pieces. “·” stands for each unknown byte, or whatever the
    /// evidence has in its place.
    case partialText
    /// The same, from a dump that prints a dot for each byte that is not printable ASCII. An
    /// unknown byte is then never a letter, a digit or a quote.
    case dottedText
    /// One whole message of bytes.
    case binary
    /// A binary message that the evidence leaves out. The bytes are a text that says so, after the
    /// first `certainBytes` bytes of the message where the evidence has these.
    case withheld
    /// A text message that its writer shortened; “…” stands where something was left out.
    case abridged

    /// Some bytes of the text are unknown.
    @inlinable public var isPartial: Bool { self == .partialText || self == .dottedText }
    /// The unknown pieces may be any text, including quotes and keys.
    @inlinable public var hidesText: Bool { self == .partialText || self == .abridged }
  }

  /// Where the sender's segments begin and end. Used only as evidence for finding frames again
  /// after a gap.
  public struct Edges: OptionSet, Sendable, BitwiseCopyable {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The first of these bytes began a segment.
    @inlinable public static var start: Edges { Edges(rawValue: 1) }
    /// The last of these bytes ended a segment.
    @inlinable public static var end: Edges { Edges(rawValue: 2) }
    /// Of a gap: captured bytes follow it.
    @inlinable public static var more: Edges { Edges(rawValue: 4) }
    /// Of a gap: its bytes were captured, but stay encrypted, which is reported already.
    @inlinable public static var sealed: Edges { Edges(rawValue: 16) }
    /// Of an end: not only this stream ends, but the connection that carries several.
    @inlinable public static var connection: Edges { Edges(rawValue: 8) }
  }

  public var origin: Origin
  public var kind: Kind
  public var edges: Edges
  /// It may be of another connection than the one that it is shown in: the evidence does not tell
  /// them apart.
  public var mayBeOfOthers = false
  /// Of `partialText` and `withheld`: the number of bytes at the beginning that are as they were
  /// sent.
  public var certainBytes: UInt32 = 0
  /// Of a message with unknown pieces: the number of bytes that were sent; 0 where the evidence
  /// does not say it.
  public var sentBytes: UInt32 = 0

  @inlinable public init(_ origin: Origin, _ kind: Kind = .stream, edges: Edges = []) {
    self.origin = origin
    self.kind = kind
    self.edges = edges
  }

  /// The same without the first `count` bytes.
  @inlinable public func advanced(by count: Int) -> Delivery {
    if count == 0 { return self }
    var rest = self
    rest.origin.offset &+= UInt64(count)
    rest.edges.remove(.start)
    return rest
  }
  /// The same with this direction.
  @inlinable public func sent(_ direction: Direction) -> Delivery {
    var sent = self
    sent.origin.direction = direction
    return sent
  }
}
