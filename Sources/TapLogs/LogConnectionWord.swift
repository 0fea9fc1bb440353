// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence

/// The word of a line that tells its connection, where no name says that it does: found by trying,
/// see `LogConnectionGuess`.
struct LogConnectionWord {
  /// Names that are remembered as texts.
  private static let most = 16

  let place: LineWords.Place
  private var known: ContiguousArray<(value: [UInt8], text: String)> = []

  init(_ place: LineWords.Place) { self.place = place }

  /// For people.
  var title: String {
    switch place {
    case .key(let name, _): "“\(String(decoding: name, as: Unicode.UTF8.self))”"
    case .first(let index): "word \(index + 1) of their lines"
    case .last(0): "the word before a message"
    case .last(let index): "word \(index + 1) before a message"
    case .behind(0): "the word behind a message"
    case .behind(let index): "word \(index + 1) behind a message"
    }
  }

  /// What the line has there; empty where it has nothing.
  ///
  /// - Parameter above: the line above it, where those that have nothing but a message have it.
  mutating func name(_ line: RawSpan, _ above: RawSpan) -> String {
    let words = LineWords(line)
    return words.isBare && !above.isEmpty
      ? name(LineWords(above), above) : name(words, line)
  }

  private mutating func name(_ words: LineWords, _ line: RawSpan) -> String {
    guard let range = words.range(place, line) else { return "" }
    let value = line.extracting(range)
    for one in known where one.value.span.bytes.equals(value) { return one.text }
    var text = String(decoding: value.copied(), as: Unicode.UTF8.self)
    if case .key(let name, _) = place {
      text = String(decoding: name, as: Unicode.UTF8.self) + " " + text
    }
    if known.count >= Self.most { known.removeAll() }
    known.append((value.copied(), text))
    return text
  }
}
