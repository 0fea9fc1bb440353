// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// Wraps a listener, and checks that every range of a message is inside it.
public final class RangeCheck: Listener {
  private let listener: any Listener

  public init(_ listener: any Listener) { self.listener = listener }

  public func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    Self.check(message, bytes, notes)
    listener.message(message, bytes, notes)
  }

  public func opened(_ opening: Opening, _ delivery: Delivery) {
    listener.opened(opening, delivery)
  }

  public func framed(_ framing: Framing) { listener.framed(framing) }

  public func sent(_ octets: RawSpan, trailing: Int, as serializer: StaticString) {
    listener.sent(octets, trailing: trailing, as: serializer)
  }

  public func subject(_ uri: RawSpan) { listener.subject(uri) }
  public func finding(_ finding: Finding) { listener.finding(finding) }

  public func keepAlive(_ keepAlive: KeepAlive, _ delivery: Delivery) {
    listener.keepAlive(keepAlive, delivery)
  }

  public func closed(_ closing: Closing, _ delivery: Delivery) {
    listener.closed(closing, delivery)
  }

  public func account(_ fate: Fate, _ bytes: Int) { listener.account(fate, bytes) }
  public func count(_ thing: Counter, _ amount: Int) { listener.count(thing, amount) }

  static func check(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    func check(_ range: ByteRange) {
      if range.start < 0 || range.end > bytes.byteCount || range.start > range.end {
        fail("a range of \(message.name) is \(range) of \(bytes.byteCount)")
      }
    }
    check(message.subject)
    check(message.realm)
    check(message.reason)
    check(message.payload)
    check(message.keywords)
    for index in notes.indices { check(notes[index].range) }
  }
}
