// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Finds where the name of a credential may be hidden in a text with pieces that were not captured:
/// whatever stands behind such a place may be its value.
///
/// All names are followed at once, as bits of a few words (the Shift-And algorithm): a letter lets
/// those go on that have it next, an unknown byte lets all go on, or stay, as it may be part of an
/// escape. The work is linear in the length of the text.
public struct HiddenCredentials: Sendable {
  /// Bits of the letters of all names, one name behind the other.
  private typealias Bits = [UInt64]

  private let letters: [Bits]
  private let first: Bits
  private let last: Bits
  /// The last letters of names that count where all of them is known, too.
  private let lastOfOthers: Bits

  /// - Parameter others: names that count beside `known`, which `CredentialFinder` finds.
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

  /// Where the value of a hidden name may begin; nil when none may be hidden.
  ///
  /// - Parameters:
  ///   - text: “·” stands for each byte that is not known, and “…” for any number of them unless it
  ///     stands in the place of a whole value.
  ///   - isParsed: values behind the other names are found where these are known.
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
    /// Names that have come so far by what is known, and those where something was unknown.
    var known: [UInt64]
    var guessed: [UInt64]
    /// A name that is not known whole may have ended before the next byte, or before quotes and
    /// blanks.
    var isBehindName = false
    /// The same for a name that is known whole: only what separates its value may be hidden.
    var isBehindKnown = false
    var mayBegin = true
    var passesKnown = false

    init(words: Int) {
      known = Array(repeating: 0, count: words)
      guessed = known
    }
  }

  private func advance(_ state: inout State, _ byte: UInt8, isUnknown: Bool) {
    // What is ignored in a name changes nothing.
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
    state.mayBegin = isUnknown || !CredentialNames.isLetter(byte)
    state.isBehindName = ends || state.isBehindName && (isClosing || isUnknown)
    state.isBehindKnown = endsKnown || state.isBehindKnown && isClosing
  }

  /// Whether “…” stands for a whole value, or for the end of a string, so that what follows is what
  /// it seems to be.
  private static func isValue(_ text: RawSpan, _ at: Int) -> Bool {
    var next = at + 3
    while next < text.byteCount, text.byte(at: next) == UInt8(ascii: "\\") { next += 1 }
    let isQuoted = next < text.byteCount && "\"'".utf8.contains(text.byte(at: next))
    if isQuoted { next += 1 }
    let isBegin = at == 0 || "[{(,: ".utf8.contains(text.byte(at: at - 1))
    if !isQuoted && !isBegin { return next == text.byteCount }
    if next == text.byteCount || "]}), \n".utf8.contains(text.byte(at: next)) { return true }
    // Nothing of the member is known.
    let rest = text.dropping(next)
    return rest.starts(with: ":…") || rest.starts(with: ":\"…\"")
  }

  /// A character of a name in lower case, also where it is an escape, and its length.
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
