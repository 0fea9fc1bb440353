// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// The content of a names file: names for the application's values, and what to mask besides the
/// credentials that protocols declare.
public struct Names: Sendable {
  /// For one field, the first rule that has the value wins.
  public var rules: [NameRule] = []
  public var masks: [MaskRule] = []
  /// Values that stay readable although a credential's name precedes them.
  public var shows: [MaskRule] = []
  /// Rules for applications' JSON; the first that applies to a connection counts.
  public var messages: [MessageRule] = []
  /// Display filters by name.
  public var filters: [String: String] = [:]
  /// The names that mark credentials anywhere.
  public var credentials = CredentialNames.standard

  public init() {}

  public var isEmpty: Bool {
    rules.isEmpty && masks.isEmpty && shows.isEmpty && messages.isEmpty && credentials == .standard
  }
}
