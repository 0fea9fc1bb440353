// SPDX-License-Identifier: Apache-2.0

/// What can be shown of a message beside its line. Made only for renderers that ask for it.
public struct Detail: Sendable {
  /// What a renderer asks for.
  public struct Wishes: OptionSet, Sendable, BitwiseCopyable {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A call of `detail` after each message.
    @inlinable public static var details: Wishes { Wishes(rawValue: 1) }
    /// The rows of the message.
    @inlinable public static var outline: Wishes { Wishes(rawValue: 2) }
    /// The frames of the message, and the HTTP heads that opened its connection.
    @inlinable public static var frames: Wishes { Wishes(rawValue: 4) }
    /// The bytes as they were sent, where the message is shown as another text.
    @inlinable public static var sent: Wishes { Wishes(rawValue: 8) }
    /// A call of `hidden` for each message that the display filter leaves out.
    @inlinable public static var hidden: Wishes { Wishes(rawValue: 16) }
    /// How the message affects who receives what is published.
    @inlinable public static var distribution: Wishes { Wishes(rawValue: 32) }
  }

  /// The bytes as they were sent, of a message that is shown as text made from them.
  public struct Sent: Sendable {
    /// Nothing in them is masked; what may hold credentials is left out.
    public var octets: [UInt8]
    /// How many more bytes follow that are left out, as they may hold credentials.
    public var withheld: Int
    /// `CBOR`.
    public var serializer: StaticString

    public init(_ octets: [UInt8], withheld: Int, _ serializer: StaticString) {
      (self.octets, self.withheld, self.serializer) = (octets, withheld, serializer)
    }
  }

  public var rows: ContiguousArray<OutlineRow> = []
  /// Nil when not asked for, or not known.
  public var framing: Framing?
  /// Nil when the bytes of the message are those that were sent.
  public var sent: Sent?
  /// Credentials in the bytes of the message are replaced by tokens.
  public var isMasked: Bool
  /// Nil when nobody asked for it, or the message does not affect who receives what.
  public var distribution: Distribution?

  public init(isMasked: Bool) { self.isMasked = isMasked }

  /// Prepares for another message; the memory for rows is kept.
  public mutating func begin(isMasked: Bool) {
    if !rows.isEmpty { rows.removeAll(keepingCapacity: rows.capacity <= 256) }
    (framing, sent, distribution) = (nil, nil, nil)
    self.isMasked = isMasked
  }
}
