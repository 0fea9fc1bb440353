// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// What a layer read in one message: names, links, and ranges in the bytes lent beside it. It holds
/// no references, so that passing it on costs no reference counting.
@frozen public struct Message: Sendable, BitwiseCopyable {
  /// Facts about the text of the message that renderers need, found while it was scanned.
  public struct Traits: OptionSet, Sendable, BitwiseCopyable {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The whole message is one valid JSON text.
    @inlinable public static var isJSON: Traits { Traits(rawValue: 1 << 0) }
    /// It has no white space between tokens.
    @inlinable public static var isCompact: Traits { Traits(rawValue: 1 << 1) }
    /// It is printable ASCII, with nothing that some readers of JSON refuse: it can be written as
    /// it is.
    @inlinable public static var isPlain: Traits { Traits(rawValue: 1 << 2) }
    /// It has no escapes: every string is spelled literally.
    @inlinable public static var isUnescaped: Traits { Traits(rawValue: 1 << 3) }
    /// The message is text (to be shown as such), otherwise bytes.
    @inlinable public static var isText: Traits { Traits(rawValue: 1 << 4) }
    /// A frame that is no message of the application: PING, PONG.
    @inlinable public static var isControl: Traits { Traits(rawValue: 1 << 5) }
    /// The notes hold the body, not the bytes (CLOSE: a code and a reason).
    @inlinable public static var bodyInNotes: Traits { Traits(rawValue: 1 << 6) }
    /// The subject is a pattern that matches URIs, not one itself.
    @inlinable public static var isPattern: Traits { Traits(rawValue: 1 << 7) }
    /// It reports that something went wrong (ERROR, ABORT).
    @inlinable public static var isFailure: Traits { Traits(rawValue: 1 << 8) }
    /// Some bytes of the text are unknown; placeholders stand for them.
    @inlinable public static var isPartial: Traits { Traits(rawValue: 1 << 9) }
    /// The payload is several arguments in a row, without a list around them.
    @inlinable public static var isSequence: Traits { Traits(rawValue: 1 << 10) }
    /// The payload is one argument, without a list around it.
    @inlinable public static var isSingle: Traits { Traits(rawValue: 1 << 11) }
    /// A request that nobody will answer.
    @inlinable public static var asksNothing: Traits { Traits(rawValue: 1 << 12) }
    /// It does not have the form of its kind: any element may be in a wrong place.
    @inlinable public static var isMalformed: Traits { Traits(rawValue: 1 << 13) }
    /// The unknown pieces may be any text, including keys and quotes.
    @inlinable public static var hidesText: Traits { Traits(rawValue: 1 << 14) }
    /// No dialect reads it: it is shown as text or bytes.
    @inlinable public static var isUnclaimed: Traits { Traits(rawValue: 1 << 15) }
    /// Its name and its ids are guesses: no protocol defines them.
    @inlinable public static var isInferred: Traits { Traits(rawValue: 1 << 16) }
    /// The payload is the content of a JSON string: text, shown without its escapes.
    @inlinable public static var isQuoted: Traits { Traits(rawValue: 1 << 17) }
    /// The payload is bytes, shown by their number and the first few: `{"base64":"…"}`, or the
    /// content of a JSON string in its quotes. Or it is a number, where the evidence says only how
    /// many bytes there were.
    @inlinable public static var isBytes: Traits { Traits(rawValue: 1 << 18) }
    /// Its direction is inferred from its type, which only one side may send.
    @inlinable public static var isDirectionInferred: Traits { Traits(rawValue: 1 << 19) }
    /// Its text was made from a log that describes it in words: its bytes are not known.
    @inlinable public static var isNarrated: Traits { Traits(rawValue: 1 << 20) }
    /// It opens exchanges of its own: those that are open under its keys were answered in bytes
    /// that are missing.
    @inlinable public static var beginsAnew: Traits { Traits(rawValue: 1 << 21) }
    /// The side that asked ends the exchange that it mentions: nothing need answer it any more, and
    /// what is under way still belongs to it.
    @inlinable public static var endsExchange: Traits { Traits(rawValue: 1 << 22) }
    /// The client says that it leaves: the connection may end as soon as the server has read it.
    @inlinable public static var isFarewell: Traits { Traits(rawValue: 1 << 23) }
    /// An answer may come; nothing says that one is due.
    @inlinable public static var mayAsk: Traits { Traits(rawValue: 1 << 24) }
  }

  /// The dialect or carrier that read the message: `wamp`, `websocket`, `rawsocket`.
  public var dialect: StaticString
  /// As the specification spells it, `SUBSCRIBED`, or as an application names its own.
  public var name: Symbol
  /// The kind of exchange that the first link is about, where the name does not say it: the CALL of
  /// `ERROR  CALL request 3`. Empty when there is nothing to add.
  public var about: StaticString = ""
  /// Up to three links; unused ones are `.none`.
  public var first: Link = .none
  public var second: Link = .none
  public var third: Link = .none
  /// The URI in the message itself; where it has none, correlation may find it.
  public var subject = ByteRange()
  /// The realm (vhost, namespace) that this message joins, or empty.
  public var realm = ByteRange()
  /// The error URI, or the reason, of a message that reports one.
  public var reason = ByteRange()
  /// The application's payload, in up to two parts (positional and keyword arguments).
  public var payload = ByteRange()
  public var keywords = ByteRange()
  /// Number of the session within its connection, from 0: a connection may carry several in a row.
  public var session: UInt16 = 0
  public var traits: Traits = []
  /// See `Delivery.sentBytes`.
  public var sentBytes: UInt32 = 0
  public var origin: Origin

  @inlinable public init(_ dialect: StaticString, _ name: Symbol, _ origin: Origin) {
    self.dialect = dialect
    self.name = name
    self.origin = origin
  }

  /// It begins an exchange and needs an answer.
  @inlinable public var asksForAnswer: Bool {
    first.role == .opens && traits.isDisjoint(with: [.asksNothing, .mayAsk])
  }

  /// Whether one of its links has this role.
  @inlinable public func has(_ role: Link.Role) -> Bool {
    first.role == role || second.role == role || third.role == role
  }

  @inlinable public func link(_ index: Int) -> Link {
    index == 0 ? first : index == 1 ? second : third
  }
}
