// SPDX-License-Identifier: Apache-2.0

/// Why a text of a names file cannot mean anything; the reader of the file knows where it stands.
public struct NamesFault: Error, Equatable, Sendable {
  /// What is wrong, and what is allowed.
  public var text: String

  init(_ text: String) { self.text = text }
}
