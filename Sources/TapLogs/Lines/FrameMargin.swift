// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What a collector of logs puts before each line of a frame: the name of a container, a time, and
/// words behind it. The first line may have words of its program behind that, so the second shows
/// where it ends.
struct FrameMargin {
  enum Place {
    /// The text of the line begins there.
    case own(Int)
    /// Another writer wrote the line.
    case foreign
    /// The line is of the same writer as the first, but not of the frame.
    case behind
  }

  /// What the first line and the one below it have in common.
  private struct Shared {
    /// Up to a time, or all of it where there is none.
    let name: Int
    let hasTime: Bool
    /// Behind the time.
    let words: Range<Int>

    var isEmpty: Bool { name == 0 && !hasTime }
  }

  /// Nil until a second line has come.
  private var shared: Shared?

  /// - Parameter first: the first line, up to the mark of the frame.
  mutating func place(_ line: RawSpan, below first: RawSpan) -> Place {
    if LinePrefix.part(first) != nil {
      guard let own = LinePrefix.part(line), own.isSameStream(line, as: first) else {
        return .foreign
      }
      return .own(own.text)
    }
    guard let shared else {
      if LogSources.areDifferent(line, first) { return .foreign }
      let (found, end) = Self.shared(line, first)
      shared = found
      return .own(end)
    }
    // Without a margin, what begins as the first line does is the next of its program.
    if shared.isEmpty { return Self.shared(line, first).0.isEmpty ? .own(0) : .behind }
    return Self.end(line, first, shared).map { .own($0) } ?? .foreign
  }

  /// - Returns: also where the text of the line begins.
  private static func shared(_ line: RawSpan, _ first: RawSpan) -> (Shared, end: Int) {
    let isStamped = LinePrefix.timeEnd(line) != nil && LinePrefix.timeEnd(first) != nil
    let name = isStamped ? 0 : common(line, first)
    let (inner, firstInner) = (line.dropping(min(name, line.byteCount)), first.dropping(name))
    guard let time = LinePrefix.timeEnd(inner), let firstTime = LinePrefix.timeEnd(firstInner)
    else { return (Shared(name: name, hasTime: false, words: 0..<0), min(name, line.byteCount)) }
    let count = common(inner.dropping(time), firstInner.dropping(firstTime))
    let words = name + firstTime..<name + firstTime + count
    return (
      Shared(name: name, hasTime: count > 0, words: words),
      min(name + (count > 0 ? time + count : 0), line.byteCount)
    )
  }

  /// How much two texts have in common, up to a blank. At the end of an empty line, that may lack.
  private static func common(_ line: RawSpan, _ first: RawSpan) -> Int {
    var (at, end) = (0, 0)
    while at < first.byteCount, at < line.byteCount, line.byte(at: at) == first.byte(at: at) {
      at += 1
      if isBlank(line.byte(at: at - 1)) { end = at }
    }
    let lacksBlank =
      at > 0 && at == line.byteCount && at < first.byteCount && isBlank(first.byte(at: at))
    return lacksBlank ? at + 1 : end
  }

  /// Where the text of a line begins that has the same margin; nil where it has another.
  private static func end(_ line: RawSpan, _ first: RawSpan, _ shared: Shared) -> Int? {
    guard let name = behind(first.extracting(0..<shared.name), line, 0) else { return nil }
    if !shared.hasTime { return name }
    guard let time = LinePrefix.timeEnd(line.dropping(name)) else { return nil }
    return behind(first.extracting(shared.words), line, name + time)
  }

  /// Behind some words on a line; nil where it does not have them.
  private static func behind(_ words: RawSpan, _ line: RawSpan, _ start: Int) -> Int? {
    let text = line.dropping(start)
    if text.byteCount >= words.byteCount {
      return text.extracting(0..<words.byteCount).equals(words) ? start + words.byteCount : nil
    }
    let last = words.byteCount - 1
    return text.byteCount == last && isBlank(words.byte(at: last))
      && text.equals(words.extracting(0..<last)) ? line.byteCount : nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == .space || byte == .tab }
}
