// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// The words of a line that stand around its first message.
struct LineWords {
  /// Where a word stands.
  enum Place: Hashable {
    /// Behind the name of a key, `conn.id=` or `"id":`, the nth of that name.
    case key(name: [UInt8], Int)
    /// The nth of the line.
    case first(Int)
    /// So many words before the message.
    case last(Int)
    /// So many words behind the message.
    case behind(Int)
  }

  private struct Word {
    var range: Range<Int>
    /// The word before it is its key.
    var isKeyed: Bool
  }

  /// Bytes that are looked at before the message, and behind it.
  private static let near = 512
  /// Bytes of a word, and words on either side.
  private static let longest = 64
  private static let most = 32

  private var before: ContiguousArray<Word> = []
  private var behind: ContiguousArray<Word> = []

  init(_ line: RawSpan) {
    var list = ListEnd(from: 0)
    list.advance(line)
    let start = list.state == .seeking ? line.byteCount : list.start
    before = Self.words(line, 0..<min(start, Self.near))
    if list.state == .seeking { return }
    let end = Self.end(line, list)
    behind = Self.words(line, end..<min(line.byteCount, end + Self.near))
  }

  /// Nothing stands before the message.
  var isBare: Bool { before.isEmpty }

  /// All places that have a word which can be shown, those that say most first.
  func places(_ line: RawSpan) -> [Place] {
    var places: [Place] = []
    var numbers: [[UInt8]: Int] = [:]
    for words in [before, behind] {
      for index in words.indices where words[index].isKeyed {
        let name = line.extracting(words[index - 1].range).copied()
        let number = numbers[name, default: 0]
        numbers[name] = number + 1
        if Self.isShown(words, index, line) { places.append(.key(name: name, number)) }
      }
    }
    let shown = before.indices.filter { Self.isShown(before, $0, line) }
    places += shown.map { .first($0) } + shown.map { .last(before.count - 1 - $0) }
    return places
      + behind.indices.filter { Self.isShown(behind, $0, line) }.map { .behind($0) }
  }

  /// What names of credentials have in them.
  private static let secrets = [
    "token", "secret", "passw", "pwd", "authorization", "bearer", "basic", "cookie", "key",
    "ticket", "credential", "signature", "jwt",
  ]

  /// Whether a word is no credential, as far as it and the word before it tell.
  private static func isShown(
    _ words: ContiguousArray<Word>, _ index: Int, _ line: RawSpan
  ) -> Bool {
    let word = String(decoding: line.extracting(words[index].range).copied(), as: Unicode.UTF8.self)
    let bytes = Array(word.utf8)
    if word.hasPrefix("eyJ") || !URLCredentials.ranges(inText: bytes).isEmpty { return false }
    if CredentialFinder.isAny(in: bytes.span.bytes, .text) { return false }
    if index == 0 { return true }
    let before = line.extracting(words[index - 1].range).copied()
    let name = String(decoding: before, as: Unicode.UTF8.self).lowercased()
    return !secrets.contains { name.contains($0) }
  }

  /// What stands there; nil where nothing does.
  func range(_ place: Place, _ line: RawSpan) -> Range<Int>? {
    switch place {
    case .key(let name, let number):
      var left = number
      for words in [before, behind] {
        for index in words.indices where words[index].isKeyed {
          guard line.extracting(words[index - 1].range).equals(name.span.bytes) else { continue }
          if left == 0 { return words[index].range }
          left -= 1
        }
      }
      return nil
    case .first(let index): return index < before.count ? before[index].range : nil
    case .last(let index):
      return index < before.count ? before[before.count - 1 - index].range : nil
    case .behind(let index): return index < behind.count ? behind[index].range : nil
    }
  }

  /// Where the message ends, or the string that it is in.
  private static func end(_ line: RawSpan, _ list: ListEnd) -> Int {
    if let quote = line.firstIndex(of: 0x22, from: list.start), line.byte(at: quote - 1) == 0x5C {
      var at = quote + 1
      while let next = line.firstIndex(of: 0x22, from: at) {
        if line.byte(at: next - 1) != 0x5C { return next }
        at = next + 1
      }
    }
    if list.state == .closed { return list.at }
    let last = (list.start..<line.byteCount).last { line.byte(at: $0) == 0x5D }
    return last.map { $0 + 1 } ?? line.byteCount
  }

  private static func words(_ line: RawSpan, _ part: Range<Int>) -> ContiguousArray<Word> {
    var words: ContiguousArray<Word> = []
    var at = part.lowerBound
    var isKeyed = false
    while at < part.upperBound, words.count < most {
      let begin = at
      while at < part.upperBound, isWord(line.byte(at: at)) { at += 1 }
      if at == begin {
        if line.byte(at: at) == 0x3D { isKeyed = !words.isEmpty }
        at += 1
        continue
      }
      var (start, end) = (begin, at)
      // A colon belongs to none of the words that it divides.
      while start < end, line.byte(at: start) == 0x3A { start += 1 }
      if start > begin { isKeyed = !words.isEmpty }
      while end > start, isEnd(line.byte(at: end - 1)) { end -= 1 }
      guard start < end else { continue }
      words.append(
        Word(range: start..<min(end, start + longest), isKeyed: isKeyed && words.count > 0))
      isKeyed = at > end && line.byte(at: at - 1) == 0x3A
    }
    return words
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00...0x20, 0x22, 0x27, 0x28, 0x29, 0x2C, 0x3B, 0x3C...0x3E, 0x5B...0x5D, 0x7B...0x7D,
      0x7F:
      false
    default: true
    }
  }

  /// `:.!?` end words, and are none.
  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == 0x3A || byte == 0x2E || byte == 0x21 || byte == 0x3F
  }
}
