// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The arguments of publications as they were sent, for all realms. A digest is made only when an
/// EVENT has a different text. There are two halves: when the younger is full, it becomes the
/// older, and the older is dropped. Exclusivity checks are off, as nothing here calls back.
final class WAMPPayloadTexts {
  /// The place of one text.
  struct Position: Sendable, BitwiseCopyable {
    fileprivate var generation: UInt32
    fileprivate var start: UInt32
  }

  @exclusivity(unchecked) private var younger = Scratch()
  @exclusivity(unchecked) private var older = Scratch()
  @exclusivity(unchecked) private var generation: UInt32 = 0
  private let mostOfHalf: Int

  /// - Parameter most: the limit for all texts together, in bytes.
  init(most: Int) { mostOfHalf = most / 2 }

  /// Larger ones are not kept.
  var mostOfOne: Int { mostOfHalf / 8 }

  /// Keeps two texts, one after the other.
  func keep(_ first: RawSpan, _ second: RawSpan) -> Position {
    if younger.count + first.byteCount + second.byteCount > mostOfHalf {
      swap(&younger, &older)
      younger.removeAll()
      generation &+= 1
    }
    let place = Position(generation: generation, start: UInt32(younger.count))
    younger.append(first)
    younger.append(second)
    return place
  }

  /// Calls `body` with the text at a place; nil when it is gone.
  func read<Result>(_ place: Position, _ count: Int, _ body: (RawSpan) -> Result) -> Result? {
    let range = ByteRange(Int(place.start), Int(place.start) + count)
    if place.generation == generation { return Self.read(younger, range, body) }
    if place.generation &+ 1 == generation { return Self.read(older, range, body) }
    return nil
  }

  /// Whether two texts are those at a place; nil when these are gone.
  @inline(__always)
  func isKept(_ first: RawSpan, _ second: RawSpan, at place: Position) -> Bool? {
    if place.generation == generation { return Self.has(younger, first, second, place) }
    if place.generation &+ 1 == generation { return Self.has(older, first, second, place) }
    return nil
  }

  @inline(__always)
  private static func has(
    _ texts: borrowing Scratch, _ first: RawSpan, _ second: RawSpan, _ place: Position
  ) -> Bool {
    let start = Int(place.start)
    let middle = start &+ first.byteCount
    if !texts.bytes[ByteRange(start, middle)].equals(first) { return false }
    return second.isEmpty
      || texts.bytes[ByteRange(middle, middle &+ second.byteCount)].equals(second)
  }

  private static func read<Result>(
    _ texts: borrowing Scratch, _ range: ByteRange, _ body: (RawSpan) -> Result
  ) -> Result {
    body(texts.bytes[range])
  }
}
