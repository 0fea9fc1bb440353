// SPDX-License-Identifier: Apache-2.0

/// Why a regular expression is not valid.
struct PatternError: Error {
  var text: String

  init(_ text: String) { self.text = text }
}
