// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// A range of a message worth pointing at. There can be many, so they are lent beside the message.
@frozen public struct Note: Sendable, BitwiseCopyable {
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// Shown under its word: `realm chat`, `roles caller, publisher`. Notes of one word that follow
    /// each other make one list.
    case fact
    /// What identifies an exchange or a session where ids are text: shown under its word ahead of
    /// the facts, and among the ids of machine output.
    case id
    /// A credential: replaced by a token in every output unless the user asked to see secrets.
    case secret
    /// A nonce: as a secret, but its length is kept.
    case nonce
    /// Long and of no use to a reader (a traceback): replaced by its length.
    case bulk
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

  /// Whether it is a secret for the name beside it, not for its place in the protocol: `word` says
  /// whether the masker has to add quotes.
  public var isByName: Bool {
    kind == .secret && (word.equals("credential") || word.equals("value"))
  }

  /// Whether the range is shown as it was sent.
  @inlinable public var isOpen: Bool { kind == .fact || kind == .id }
}
