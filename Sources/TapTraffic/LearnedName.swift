// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// What an id stands for, learned from a message's payload: a client can ask the router.
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
