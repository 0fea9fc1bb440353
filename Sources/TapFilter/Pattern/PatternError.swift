// SPDX-License-Identifier: Apache-2.0

/// Why a regular expression is none.
struct PatternError: Error {
  var text: String
  /// Bytes of the expression that it is about.
  var place: Range<Int>

  init(_ text: String, _ place: Range<Int>) { (self.text, self.place) = (text, place) }
}
