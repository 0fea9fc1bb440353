// SPDX-License-Identifier: Apache-2.0
import TapEncodings

/// A key of the dictionaries of WAMP messages (Options, Details, Extra), and what it means.
public struct WAMPOption: Sendable {
  /// What its value must be.
  public enum Kind: Sendable {
    case boolean, integer, id, string, uri, list, dictionary
    /// Not checked.
    case anything

    /// As a finding words it.
    public var description: StaticString {
      switch self {
      case .boolean: "a boolean"
      case .integer: "an integer"
      case .id: "an id"
      case .string: "a string"
      case .uri: "a URI"
      case .list: "a list"
      case .dictionary: "a dictionary"
      case .anything: "any value"
      }
    }
  }

  public var key: StaticString
  /// Codes of the message types whose dictionary may have it.
  public var codes: [UInt64]
  public var kind: Kind
  /// One sentence without its full stop.
  public var meaning: StaticString
  /// The key of the nested dictionary that contains it; empty for the message's own dictionary.
  public var inside: StaticString
  /// Implementations use it, but it is not in the specification.
  public var isExtension: Bool
  /// The kind of a list's elements; nil when it is not a list, or they may be anything.
  var element: Kind?
  /// The allowed values of a string, the default first; empty when any is allowed.
  var values: [StaticString]
  /// The feature that both sides must announce when the option is used; empty when none.
  var feature: StaticString
  /// The default of a boolean is true.
  var isTrueWhenAbsent: Bool

  init(
    _ key: StaticString, _ codes: [UInt64], _ kind: Kind, _ meaning: StaticString,
    inside: StaticString = "", isExtension: Bool = false, element: Kind? = nil,
    values: [StaticString] = [], feature: StaticString = "", isTrueWhenAbsent: Bool = false
  ) {
    (self.key, self.codes, self.kind, self.meaning) = (key, codes, kind, meaning)
    (self.inside, self.isExtension, self.element) = (inside, isExtension, element)
    (self.values, self.feature) = (values, feature)
    self.isTrueWhenAbsent = isTrueWhenAbsent
  }

  /// All known options: those of the specification, and those seen in implementations.
  public static let all: [WAMPOption] =
    session + authentication + publishing + calling + payload

  /// Whether a value of this kind is allowed. `null` always is: it means that the option is not
  /// set.
  func accepts(_ value: JSONElement.Kind) -> Bool {
    switch kind {
    case .boolean: value == .yes || value == .no || value == .null
    // An integer may be sent as a float; a separate finding reports that where it matters.
    case .integer, .id: value == .natural || value == .number || value == .null
    case .string, .uri: value == .string || value == .null
    case .list: value == .array || value == .null
    case .dictionary: value == .object || value == .null
    case .anything: true
    }
  }
}
