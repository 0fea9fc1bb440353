// SPDX-License-Identifier: Apache-2.0

/// What there is to say of a message beside its line. Made only for renderers that ask for it.
public struct Detail: Sendable {
  /// What a renderer asks for.
  public struct Wishes: OptionSet, Sendable, BitwiseCopyable {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A call of `detail` behind each message.
    @inlinable public static var details: Wishes { Wishes(rawValue: 1) }
    /// The branches of the message.
    @inlinable public static var outline: Wishes { Wishes(rawValue: 2) }
    /// The frames of the message, and the heads of HTTP that opened its connection.
    @inlinable public static var frames: Wishes { Wishes(rawValue: 4) }
    /// The bytes as they were sent, where another text stands for them.
    @inlinable public static var sent: Wishes { Wishes(rawValue: 8) }
    /// A call of `hidden` for each message that the display filter leaves out.
    @inlinable public static var hidden: Wishes { Wishes(rawValue: 16) }
    /// What the message does to who gets what.
    @inlinable public static var distribution: Wishes { Wishes(rawValue: 32) }
  }

  /// What a message was made of that was not sent as the text that it is told by.
  public struct Sent: Sendable {
    /// Nothing in them is masked.
    public var octets: [UInt8]
    /// How many more follow that may hold credentials.
    public var withheld: Int
    /// `CBOR`.
    public var serializer: StaticString

    public init(_ octets: [UInt8], withheld: Int, _ serializer: StaticString) {
      (self.octets, self.withheld, self.serializer) = (octets, withheld, serializer)
    }
  }

  public var branches: ContiguousArray<Branch> = []
  /// Nil when not asked for, or not known.
  public var framing: Framing?
  /// Nil when the bytes of the message are those that were sent.
  public var sent: Sent?
  /// The bytes are not those that were sent: credentials are replaced by tokens.
  public var isMasked: Bool
  /// Nil for a message that does nothing to who gets what, and where nobody asked for it.
  public var distribution: Distribution?

  public init(isMasked: Bool) { self.isMasked = isMasked }

  /// Begins anew, for another message; room for branches is kept.
  public mutating func begin(isMasked: Bool) {
    if !branches.isEmpty { branches.removeAll(keepingCapacity: branches.capacity <= 256) }
    (framing, sent, distribution) = (nil, nil, nil)
    self.isMasked = isMasked
  }
}
