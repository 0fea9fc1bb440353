// SPDX-License-Identifier: Apache-2.0

/// What a names file says: words for the application's own numbers, and what to mask beside the
/// credentials that a protocol declares.
public struct Names: Sendable {
  /// Of those for one field, the first that knows the value wins.
  public var rules: [NameRule] = []
  public var masks: [MaskRule] = []

  public init() {}

  public var isEmpty: Bool { rules.isEmpty && masks.isEmpty }
}
