// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic

/// A listener that adds up, and looks at what it is told: every range lies in the message.
public final class Tally: Listener {
  private var fates = [Int](repeating: 0, count: Fate.allCases.count)
  private var things = [Int](repeating: 0, count: Thing.allCases.count)

  public init() {}

  public subscript(fate: Fate) -> Int { fates[fate.rawValue] }
  public subscript(thing: Thing) -> Int { things[thing.rawValue] }
  public var sum: Int { fates.reduce(0, +) }
  public var description: String {
    Fate.allCases.map { "\($0.name) \(self[$0])" }.joined(separator: ", ")
  }

  public func opened(_ opening: Opening, _ delivery: Delivery) {}

  public func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    for range in [
      message.subject, message.realm, message.reason, message.payload, message.keywords,
    ] where range.start < 0 || range.end > bytes.byteCount || range.start > range.end {
      fail("a range of \(message.name) is \(range) of \(bytes.byteCount)")
    }
    for index in notes.indices {
      let range = notes[index].range
      if range.start < 0 || range.end > bytes.byteCount || range.start > range.end {
        fail("note \(notes[index].word) of \(message.name) is \(range) of \(bytes.byteCount)")
      }
    }
  }

  public func finding(_ finding: Finding) {}
  public func closed(_ closing: Closing, _ delivery: Delivery) {}

  public func account(_ fate: Fate, _ bytes: Int) {
    if bytes < 0 { fail("\(bytes) bytes are \(fate.name)") }
    fates[fate.rawValue] += bytes
  }

  public func count(_ thing: Thing, _ amount: Int) {
    if amount < 0 { fail("\(amount) \(thing.name)") }
    things[thing.rawValue] += amount
  }
}

/// Chooses a layer that counts for everything.
public final class Counting: Chooser {
  public private(set) var delivered = 0
  /// Called with what is lent.
  public var onBytes: ((RawSpan, Delivery) -> Void)?

  public init() {}

  public func layer(for opening: Opening) -> any Layer { Counter(owner: self) }

  private struct Counter: Layer {
    let owner: Counting

    mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _: any Listener) {
      if bytes.byteCount == 0 { fail("nothing was lent") }
      owner.delivered += bytes.byteCount
      owner.onBytes?(bytes, delivery)
    }

    mutating func gap(_ missing: Int?, _: Delivery, _: any Listener) {
      if let missing, missing <= 0 { fail("a gap of \(missing)") }
    }

    mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
  }
}
