// SPDX-License-Identifier: Apache-2.0

/// Why a text in a names file is not valid; the file's reader adds the place.
public struct NamesFault: Error, Equatable, Sendable {
  /// The mistake, and what is allowed.
  public var text: String

  init(_ text: String) { self.text = text }
}
