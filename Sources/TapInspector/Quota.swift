// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Stands before the inspector when only so many messages are wanted: the last of them is the last
/// thing that is told. It is not there at all when all of them are.
///
/// A message counts when the renderer shows it. What the same packet brings after the last one is
/// neither shown nor counted as a message; its octets are accounted for like others.
public final class Quota: Listener {
  private let inspector: Inspector
  /// How many messages may still be shown.
  private var left: UInt64
  /// Something came after the last message.
  private var hasMore = false

  /// - Parameter most: at least one.
  public init(_ inspector: Inspector, most: UInt64) {
    (self.inspector, left) = (inspector, most)
  }

  /// Nothing more is to be told: what goes on reading may stop.
  public var isReached: Bool { left == 0 }

  public func opened(_ opening: Opening, _ delivery: Delivery) {
    if !isReached { inspector.opened(opening, delivery) }
  }

  public func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    if isReached {
      hasMore = true
      return
    }
    // What a renderer keeps for later will be shown; writing it takes more octets than it counted.
    let before = inspector.textCount + inspector.keptCount
    inspector.message(message, bytes, notes)
    if inspector.textCount + inspector.keptCount > before { left -= 1 }
  }

  public func framed(_ framing: Framing) { inspector.framed(framing) }

  public func sent(_ octets: RawSpan, trailing: Int, as serializer: StaticString) {
    inspector.sent(octets, trailing: trailing, as: serializer)
  }

  public func subject(_ uri: RawSpan) { inspector.subject(uri) }

  public func lesson(_ lesson: Lesson, _ bytes: RawSpan, in message: Message) {
    inspector.lesson(lesson, bytes, in: message)
  }

  /// What is wrong with the last message belongs to it.
  public func finding(_ finding: Finding) {
    if !isReached || finding.isAboutLastMessage && !hasMore { inspector.finding(finding) }
  }

  public func refused(_ attempt: Opening, _ delivery: Delivery) {
    inspector.refused(attempt, delivery)
  }

  public func closed(_ closing: Closing, _ delivery: Delivery) {
    inspector.closed(closing, delivery)
  }

  public func account(_ fate: Fate, _ bytes: Int) { inspector.account(fate, bytes) }

  public func count(_ thing: Thing, _ amount: Int) { inspector.count(thing, amount) }
}
