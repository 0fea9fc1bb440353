// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// A range of a message worth pointing at. There can be many, so they are lent beside the message.
@frozen public struct Note: Sendable, BitwiseCopyable {
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// Shown after its word: `realm chat`, `roles caller, publisher`. Consecutive notes with the
    /// same word make one list.
    case fact
    /// Words that explain the reason of the message; shown behind it.
    case explanation
    /// Identifies an exchange or a session where ids are text: shown after its word before the
    /// facts, and among the ids in NDJSON.
    case id
    /// A credential: replaced by a token in every output unless the user asked to see secrets.
    case secret
    /// A nonce: masked like a secret, but its length is kept.
    case nonce
    /// Long and of no use to a reader (a traceback): replaced by its length.
    case bulk
    /// No value, although it stands beside the name of a credential: it is shown as it is.
    case reference
    /// Not secret, but shown by its first characters only.
    case shortened
  }

  public var kind: Kind
  public var word: Symbol
  /// For a JSON string, the bytes between the quotes.
  public var range: ByteRange

  @inlinable public init(_ kind: Kind, _ word: Symbol, _ range: ByteRange) {
    self.kind = kind
    self.word = word
    self.range = range
  }

  /// Whether it is a secret because of the name beside it, not because of its place in the
  /// protocol. `word` then says whether the masker has to add quotes.
  public var isByName: Bool {
    kind == .secret && (word.equals("credential") || word.equals("value"))
  }

  /// Whether the range is shown as it was sent.
  @inlinable public var isOpen: Bool {
    switch kind {
    case .fact, .explanation, .id, .reference: true
    case .secret, .nonce, .bulk, .shortened: false
    }
  }
}
