// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// What a names file says: words for the application's own numbers, and what to mask beside the
/// credentials that a protocol declares.
public struct Names: Sendable {
  /// Of those for one field, the first that knows the value wins.
  public var rules: [NameRule] = []
  public var masks: [MaskRule] = []
  /// What stays readable although the name beside it is that of a credential.
  public var shows: [MaskRule] = []
  /// How the JSON of applications is read; the first that is about a connection counts.
  public var messages: [MessageRule] = []
  /// Display filters by name.
  public var filters: [String: String] = [:]
  /// The names beside which credentials stand, wherever that is.
  public var credentials = CredentialNames.standard

  public init() {}

  public var isEmpty: Bool { rules.isEmpty && masks.isEmpty && shows.isEmpty && messages.isEmpty }
}
