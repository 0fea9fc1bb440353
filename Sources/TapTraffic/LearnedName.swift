// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// What the payload of a message says that an id stands for: a router can be asked.
public struct LearnedName: Sendable {
  /// The id, with the role `names`.
  public var link: Link
  /// The subject, in the bytes of the message.
  public var subject: ByteRange
  public var isPattern: Bool

  public init(_ link: Link, _ subject: ByteRange, isPattern: Bool) {
    (self.link, self.subject, self.isPattern) = (link, subject, isPattern)
  }
}
