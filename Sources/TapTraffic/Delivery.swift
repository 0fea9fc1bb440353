// SPDX-License-Identifier: Apache-2.0

/// What comes along with lent bytes: where they were found and what they are.
@frozen public struct Delivery: Sendable, BitwiseCopyable {
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// Part of an ordered stream; boundaries mean nothing.
    case stream
    /// One whole message of text.
    case text
    /// One whole message that claims to be text, but is no UTF-8.
    case brokenText
    /// A message of text with pieces that are not known; “·” stands for their bytes, or what the
    /// evidence has there.
    case partialText
    /// The same of a dump that prints dots for what is no ASCII: no letter, digit or quote is
    /// unknown.
    case dottedText
    /// One whole message of bytes.
    case binary
    /// A message of bytes that the evidence has left out; the bytes are a text that says so,
    /// behind the first `certainBytes` bytes of it, where these are there.
    case withheld
    /// One message of text, from which its writer left something out; “…” stands there.
    case abridged

    /// Pieces of the text are not known.
    @inlinable public var isPartial: Bool { self == .partialText || self == .dottedText }
    /// Any text may stand where pieces are not known.
    @inlinable public var hidesText: Bool { self == .partialText || self == .abridged }
  }

  /// Borders of what the sender handed to its network stack at once. Evidence for finding frames
  /// again after a gap, and for nothing else.
  public struct Edges: OptionSet, Sendable, BitwiseCopyable {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The first of these bytes began a segment.
    @inlinable public static var start: Edges { Edges(rawValue: 1) }
    /// The last of these bytes ended a segment.
    @inlinable public static var end: Edges { Edges(rawValue: 2) }
    /// Of a gap: what was captured behind it comes next.
    @inlinable public static var more: Edges { Edges(rawValue: 4) }
  }

  public var origin: Origin
  public var kind: Kind
  public var edges: Edges
  /// Of `partialText` and `withheld`: so many bytes from the beginning are as they were sent.
  public var certainBytes: UInt32 = 0

  @inlinable public init(_ origin: Origin, _ kind: Kind = .stream, edges: Edges = []) {
    self.origin = origin
    self.kind = kind
    self.edges = edges
  }

  /// The same behind the first `count` bytes.
  @inlinable public func advanced(by count: Int) -> Delivery {
    if count == 0 { return self }
    var rest = self
    rest.origin.offset &+= UInt64(count)
    rest.edges.remove(.start)
    return rest
  }
  /// The same, of one side.
  @inlinable public func sent(_ direction: Direction) -> Delivery {
    var sent = self
    sent.origin.direction = direction
    return sent
  }
}
