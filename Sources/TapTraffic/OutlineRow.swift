// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// One line of a message's outline: an element or a key, under the name the specification gives it,
/// and what it means. Renderers print rows without knowing the dialect.
@frozen public struct OutlineRow: Sendable, BitwiseCopyable {
  /// What the range is.
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// No range: a heading for what follows, or a value that `meaning` spells out.
    case heading
    /// One JSON value.
    case json
    case text
    case octets
  }

  /// 0 for an element of the message itself, 1 and more for what is nested in it.
  public var depth: UInt8
  /// Position in the message's list, from 0; negative when it is not an element of a list.
  public var index: Int32 = -1
  /// The name in the words of the specification; empty when `key` has it.
  public var title: StaticString
  /// The name as it was sent, for a key of a dictionary; empty when `title` has it.
  public var key = ByteRange()
  public var kind: Kind
  public var range: ByteRange
  /// A few words for people; empty when there is nothing to say.
  public var meaning: StaticString = ""
  /// What is wrong with it, in a few words.
  public var remark: StaticString = ""
  /// Not in the specification, but implementations send it.
  public var isExtension = false
  /// Number of the message's link that has this value, from 1; 0 for none.
  public var link: UInt8 = 0

  @inlinable public init(
    _ title: StaticString, _ kind: Kind, _ range: ByteRange, depth: UInt8 = 0
  ) {
    (self.title, self.kind, self.range, self.depth) = (title, kind, range, depth)
  }

  /// Stands for all rows beyond `Limits.outlineLines`.
  @inlinable public static func more(depth: UInt8) -> OutlineRow {
    var row = OutlineRow("…", .heading, ByteRange(), depth: depth)
    row.remark = "there are more than are listed here"
    return row
  }
}
