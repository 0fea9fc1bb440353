// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Finds a value that stands under a key of its own beside the name of a credential, as the fields
/// of heads do in lists, and attributes in tags: `{"name":"Cookie","value":"a=b"}`,
/// `header="Cookie" value="a=b"`. Strings, numbers and words may stand between the two.
struct LabelledValue {
  /// The keys under which names stand.
  static let labels: [[UInt8]] = ["name", "key", "header"].map { Array($0.utf8) }
  private static let hashes = labels.map { NameMark($0).hash }

  /// Whether a word is one of the labels, by its hash: they are common, so it costs no more.
  static func isLabel(_ mark: NameMark) -> Bool { hashes.contains(mark.hash) }

  /// How many members may stand between name and value; and how many keys before a name are tried.
  /// With these limits, the work stays linear in the length of the text.
  private static let (mostBetween, mostTried) = (8, 4)

  let names: NameTable
  /// Before this, no value is looked for any more.
  private var searched = 0

  init(_ names: NameTable) { self.names = names }

  /// Where the separator between the key of such a value and the value stands; nil where the label
  /// does not name a credential.
  ///
  /// - Parameter separator: the one behind the label's key.
  mutating func separator(besideLabelAt separator: Int, _ text: RawSpan) -> Int? {
    let start = Self.skipSpace(text, separator + 1)
    guard let name = CredentialValue.quoted(text, from: start),
      isCredential(text, name.content)
    else { return nil }
    var at = name.end
    for _ in 0..<Self.mostBetween {
      guard let member = Self.member(text, behind: at) else { break }
      if member.isValue { return member.separator }
      guard let end = Self.scalarEnd(text, behind: member.separator) else { break }
      at = end
    }
    defer { searched = separator }
    return separatorBefore(separator, text)
  }

  private func isCredential(_ text: RawSpan, _ name: ByteRange) -> Bool {
    var mark = NameMark()
    let isFound = CredentialNames.Spelling.eachLetter(text, name, isQuoted: true) { mark.add($0) }
    guard isFound, names.mayContain(mark) else { return false }
    var letters: [UInt8] = []
    _ = CredentialNames.Spelling.eachLetter(text, name, isQuoted: true) { letters.append($0) }
    return names.letters.contains(letters.reversed())
  }

  private func separatorBefore(_ label: Int, _ whole: RawSpan) -> Int? {
    // What does not end before the label is not gone over for each label behind it.
    let text = whole.extracting(0...label)
    var (at, tried) = (label, 0)
    while at > searched, tried < Self.mostTried {
      at -= 1
      guard text.byte(at: at) | 0x20 == UInt8(ascii: "v"),
        text.dropping(at + 1).starts(with: "alue") || text.dropping(at + 1).starts(with: "ALUE"),
        let separator = Self.separator(text, behindKeyAt: at)?.place
      else { continue }
      tried += 1
      let start = Self.skipSpace(text, separator + 1)
      let end = CredentialValue.containerEnd(text, from: start)
      guard var end = end ?? Self.scalarEnd(text, behind: separator) else { continue }
      for _ in 0..<Self.mostBetween {
        guard let member = Self.member(text, behind: end) else { break }
        if member.separator == label { return separator }
        guard let next = Self.scalarEnd(text, behind: member.separator) else { break }
        end = next
      }
    }
    return nil
  }

  /// The member behind another one: where its separator stands, and whether its key is `value`.
  private static func member(
    _ text: RawSpan, behind end: Int
  ) -> (separator: Int, isValue: Bool)? {
    var at = skipSpace(text, end)
    if at < text.byteCount, text.byte(at: at) == .comma {
      at = skipSpace(text, at + 1)
    } else if at == end {
      return nil
    }
    while at < text.byteCount, CredentialFinder.isClosing(text.byte(at: at)) { at += 1 }
    guard let (place, keyEnd) = separator(text, behindKeyAt: at) else { return nil }
    let isValue =
      keyEnd - at == 5
      && "value".utf8.enumerated().allSatisfy {
        CredentialNames.lower(text.byte(at: at + $0.offset)) == $0.element
      }
    return (place, isValue)
  }

  private static func separator(
    _ text: RawSpan, behindKeyAt start: Int
  ) -> (place: Int, keyEnd: Int)? {
    var at = start
    while at < text.byteCount {
      let byte = text.byte(at: at)
      guard
        CredentialNames.isLetterOrDigit(CredentialNames.lower(byte)) || byte == UInt8(ascii: "_")
          || byte == UInt8(ascii: "-")
      else { break }
      at += 1
    }
    let keyEnd = at
    while at < text.byteCount, CredentialFinder.isClosing(text.byte(at: at)) { at += 1 }
    guard keyEnd > start, at < text.byteCount,
      text.byte(at: at) == .colon || text.byte(at: at) == UInt8(ascii: "=")
    else { return nil }
    return (at, keyEnd)
  }

  /// Nil for an object or a list, and where nothing stands.
  private static func scalarEnd(_ text: RawSpan, behind separator: Int) -> Int? {
    let start = skipSpace(text, separator + 1)
    if let string = CredentialValue.quoted(text, from: start) { return string.end }
    let end = CredentialValue.wordEnd(text, from: start)
    if end == start || "{[(".utf8.contains(text.byte(at: start)) { return nil }
    return end
  }

  private static func skipSpace(_ text: RawSpan, _ start: Int) -> Int {
    var at = start
    while at < text.byteCount, text.byte(at: at) <= 0x20 { at += 1 }
    return at
  }
}
