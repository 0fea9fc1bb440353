// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Finds the values that stand beside the name of a credential, in any notation and at any depth:
/// `"password":"hunter2"`, `{\"pin\": 1234}` inside of a string, `token=abc&`, `'otp' => '77'`,
/// `Authorization: Bearer abc`, `{"name":"Cookie","value":"a=b"}`. It reads text, not a grammar, so
/// what is malformed or cut is searched like all else; the work is linear in its length.
public struct CredentialFinder: Sendable {
  /// What is known of the text.
  public enum Form: Sendable {
    /// One valid JSON text: a value ends where JSON says.
    case json
    /// Anything else: a form, a head, a literal of a program, a line of a log.
    case text
  }

  public struct Credential: Sendable, Equatable {
    /// Of a string, without its quotes.
    public var value: ByteRange
    /// The value has no quotes, but it has to get some when a text replaces it, so that JSON stays
    /// valid.
    public var needsQuotes: Bool

    public init(value: ByteRange, needsQuotes: Bool) {
      (self.value, self.needsQuotes) = (value, needsQuotes)
    }
  }

  private let form: Form
  private let names: CredentialNames
  private var labelled: LabelledValue
  /// The last value that was found beside a label, behind it.
  private var besideLabel = ByteRange(0, 0)
  private var at = 0
  /// End of the JSON string that is being searched.
  private var stringEnd = 0

  public init(_ form: Form, _ names: CredentialNames = .standard) {
    (self.form, self.names, labelled) = (form, names, LabelledValue(names.table))
  }

  /// The next credential, nil after the last one. One may lie within another, or before the last
  /// one. Each call has to pass the same text.
  public mutating func next(in text: RawSpan) -> Credential? {
    let table = names.table
    while let separator = table.endings.firstSeparator(in: text, from: at) {
      if besideLabel.start <= separator && separator < besideLabel.end {
        at = besideLabel.end
        continue
      }
      at = separator + 1
      guard let name = CredentialNames.Spelling(before: separator, text, table) else { continue }
      if name.isLabel {
        guard let beside = labelled.separator(besideLabelAt: separator, text),
          let found = value(of: name, behind: beside, text)
        else { continue }
        // What stands between the two is searched, too; in the value, nothing more is looked for.
        if found.value.start > at { besideLabel = found.value }
        return found
      }
      guard let found = value(of: name, behind: separator, text) else { continue }
      at = max(at, found.value.end)
      return found
    }
    at = text.byteCount
    return nil
  }

  /// A string in quotes, which may have backslashes before them: its content, and where it ends.
  public static func string(
    in text: RawSpan, at start: Int
  ) -> (content: ByteRange, end: Int)? {
    CredentialValue.quoted(text, from: start)
  }

  /// What may stand between a name and its separator.
  @inline(__always)
  static func isClosing(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
      || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "`")
  }

  private mutating func value(
    of name: CredentialNames.Spelling, behind separator: Int, _ text: RawSpan
  ) -> Credential? {
    // A value inside of a JSON string ends where that string ends at the latest. A quote of JSON
    // behind an even number of backslashes is not escaped.
    let isEscaped = form == .json ? name.level % 2 == 1 : name.level > 0
    let isKey = name.quote == UInt8(ascii: "\"") && !isEscaped
    var end = text.byteCount
    if form == .json && !isKey {
      if stringEnd <= separator { stringEnd = Self.stringEnd(text, from: separator) }
      end = stringEnd
    }
    return CredentialValue(name: name, isKey: isKey)
      .read(text.extracting(0..<end), from: separator + 1)
  }

  /// The next quote that is not escaped.
  private static func stringEnd(_ text: RawSpan, from start: Int) -> Int {
    var at = start
    while let quote = text.firstIndex(of: UInt8(ascii: "\""), from: at) {
      var first = quote
      while first > start, text.byte(at: first - 1) == UInt8(ascii: "\\") { first -= 1 }
      if (quote - first) % 2 == 0 { return quote }
      at = quote + 1
    }
    return text.byteCount
  }

  public static func isAny(
    in text: RawSpan, _ form: Form, _ names: CredentialNames = .standard
  ) -> Bool {
    guard let first = names.firstSeparator(in: text) else { return false }
    return isAny(in: text, form, names, from: first)
  }

  /// - Parameter first: see `CredentialNames.firstSeparator`.
  public static func isAny(
    in text: RawSpan, _ form: Form, _ names: CredentialNames, from first: Int
  ) -> Bool {
    var finder = CredentialFinder(form, names)
    finder.at = first
    return finder.next(in: text) != nil
  }
}
