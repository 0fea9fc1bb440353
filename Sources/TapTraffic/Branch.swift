// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// One line of what a dialect says of the inside of a message: an element or a key, by the name of
/// the specification, and what it means. Renderers print branches and need not know the dialect.
@frozen public struct Branch: Sendable, BitwiseCopyable {
  /// What the range is.
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// Nothing: a heading for what follows, or a value that `meaning` has.
    case heading
    /// One JSON value.
    case json
    case text
    case octets
  }

  /// 0 for an element of the message, more for what is inside of one.
  public var depth: UInt8
  /// Place in the list that the message is, from 0; negative when it stands in none.
  public var index: Int32 = -1
  /// The name in the words of the specification; empty when `key` has it.
  public var title: StaticString
  /// The name as it was sent, for a key of a dictionary.
  public var key = ByteRange()
  public var kind: Kind
  public var range: ByteRange
  /// A few words for people; empty when there is nothing to say.
  public var meaning: StaticString = ""
  /// What is wrong with it, in a few words.
  public var remark: StaticString = ""
  /// The specification does not have it, but implementations do.
  public var isExtension = false
  /// Which link of the message has this value, from 1; 0 for none.
  public var link: UInt8 = 0

  @inlinable public init(
    _ title: StaticString, _ kind: Kind, _ range: ByteRange, depth: UInt8 = 0
  ) {
    (self.title, self.kind, self.range, self.depth) = (title, kind, range, depth)
  }

  /// Stands for all that `Limits.branches` leaves no room for.
  @inlinable public static func more(depth: UInt8) -> Branch {
    var branch = Branch("…", .heading, ByteRange(), depth: depth)
    branch.remark = "there are more than are listed here"
    return branch
  }
}
