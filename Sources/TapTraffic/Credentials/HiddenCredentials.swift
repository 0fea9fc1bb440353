// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Finds where the name of a credential may be hidden in a text that lacks some bytes: what follows
/// such a place may be its value.
///
/// Matches all names at once, as bits of a few words (the Shift-And algorithm). A known letter
/// advances the names that have it next. An unknown byte advances every name, or lets it stay, as
/// it may be part of an escape. The work is linear in the length of the text.
public struct HiddenCredentials: Sendable {
  /// One bit for each letter of each name, the names one after the other.
  private typealias Bits = [UInt64]

  private let letters: [Bits]
  private let first: Bits
  private let last: Bits
  /// The last letters of those names that count even where all of their bytes are known.
  private let lastOfOthers: Bits

  /// - Parameter others: names beside `known` that count, too; `CredentialFinder` finds only
  ///   `known`.
  public init(_ known: CredentialNames, _ others: [String]) {
    let names = known.words + others.map(CredentialNames.letters)
    let count = names.reduce(0) { $0 + $1.count }
    let words = count / 64 + 1
    var letters = [Bits](repeating: Bits(repeating: 0, count: words), count: 256)
    var (first, last) = (Bits(repeating: 0, count: words), Bits(repeating: 0, count: words))
    var lastOfOthers = last
    var place = 0
    for (index, name) in names.enumerated() {
      first[place / 64] |= 1 << UInt64(place % 64)
      for letter in name {
        letters[Int(letter)][place / 64] |= 1 << UInt64(place % 64)
        place += 1
      }
      let end = 1 << UInt64((place - 1) % 64) as UInt64
      last[(place - 1) / 64] |= end
      if index >= known.words.count { lastOfOthers[(place - 1) / 64] |= end }
    }
    (self.letters, self.first) = (letters, first)
    (self.last, self.lastOfOthers) = (last, lastOfOthers)
  }

  /// Where the value of a hidden name may begin; nil when no name can be hidden.
  ///
  /// - Parameters:
  ///   - text: “·” stands for one unknown byte, “…” for any number of them unless it replaces a
  ///     whole value.
  ///   - isParsed: the caller finds values of `others` itself, where these names are fully known.
  public func firstValue(in text: RawSpan, isParsed: Bool = false) -> Int? {
    var state = State(words: first.count)
    state.passesKnown = isParsed
    var at = 0
    while at < text.byteCount {
      if text.byte(at: at) == 0xE2, text.dropping(at).starts(with: "…"), !Self.isValue(text, at) {
        return at
      }
      let isUnknown = text.byte(at: at) == 0xC2 && text.dropping(at).starts(with: "·")
      let (byte, length) = isUnknown ? (0, 2) : Self.character(text, at)
      let isSeparator = byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=")
      if state.isBehindName && (isUnknown || isSeparator) || state.isBehindKnown && isUnknown {
        return at + length
      }
      advance(&state, byte, isUnknown: isUnknown)
      at += length
    }
    return nil
  }

  private struct State {
    /// Names matched so far by known bytes only, and names matched with the help of unknown bytes.
    var known: [UInt64]
    var guessed: [UInt64]
    /// A name with unknown bytes may have ended before the next byte; only quotes and blanks came
    /// since.
    var isBehindName = false
    /// The same for a name whose bytes are all known: only its separator can be hidden.
    var isBehindKnown = false
    var mayBegin = true
    var passesKnown = false

    init(words: Int) {
      known = Array(repeating: 0, count: words)
      guessed = known
    }
  }

  private func advance(_ state: inout State, _ byte: UInt8, isUnknown: Bool) {
    // Characters that are ignored in names change nothing.
    if !isUnknown && (byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")) { return }
    let isClosing = !isUnknown && CredentialFinder.isClosing(byte)
    var (ends, endsKnown) = (false, false)
    var (knownCarry, guessedCarry): (UInt64, UInt64) = (0, 0)
    for word in first.indices {
      let (known, guessed) = (state.known[word], state.guessed[word])
      let begins = state.mayBegin || isUnknown ? first[word] : 0
      let knownNext = (known << 1 | knownCarry) & ~first[word]
      let guessedNext = (guessed << 1 | guessedCarry) & ~first[word]
      (knownCarry, guessedCarry) = (known >> 63, guessed >> 63)
      if isUnknown {
        state.guessed[word] = known | guessed | knownNext | guessedNext | begins
        state.known[word] = 0
      } else {
        state.known[word] = (knownNext | begins) & letters[Int(byte)][word]
        state.guessed[word] = guessedNext & letters[Int(byte)][word]
      }
      if state.guessed[word] & last[word] != 0 { ends = true }
      if !state.passesKnown && state.known[word] & lastOfOthers[word] != 0 { ends = true }
      if state.known[word] & last[word] != 0 { endsKnown = true }
    }
    state.mayBegin = isUnknown || !CredentialNames.isLetterOrDigit(byte)
    state.isBehindName = ends || state.isBehindName && (isClosing || isUnknown)
    state.isBehindKnown = endsKnown || state.isBehindKnown && isClosing
  }

  /// Whether “…” replaces a whole value, or the end of a string. If so, the text after it can be
  /// read as it stands.
  private static func isValue(_ text: RawSpan, _ at: Int) -> Bool {
    var next = at + 3
    while next < text.byteCount, text.byte(at: next) == UInt8(ascii: "\\") { next += 1 }
    let isQuoted = next < text.byteCount && "\"'".utf8.contains(text.byte(at: next))
    if isQuoted { next += 1 }
    let isBegin = at == 0 || "[{(,: ".utf8.contains(text.byte(at: at - 1))
    if !isQuoted && !isBegin { return next == text.byteCount }
    if next == text.byteCount || "]}), \n".utf8.contains(text.byte(at: next)) { return true }
    // Key and value of the member are both unknown.
    let rest = text.dropping(next)
    return rest.starts(with: ":…") || rest.starts(with: ":\"…\"")
  }

  /// A character of a name in lower case, decoded if it is an escape, and its length.
  private static func character(_ text: RawSpan, _ at: Int) -> (UInt8, Int) {
    let byte = text.byte(at: at)
    if byte == UInt8(ascii: "\\"), at + 6 <= text.byteCount,
      text.byte(at: at + 1) == UInt8(ascii: "u")
    {
      let digits = String(
        decoding: text.extracting(at + 2..<at + 6).copied(), as: Unicode.UTF8.self)
      if let code = UInt8(digits, radix: 16) { return (CredentialNames.lower(code), 6) }
    }
    return (CredentialNames.lower(byte), 1)
  }
}
