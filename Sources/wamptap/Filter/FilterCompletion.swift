// SPDX-License-Identifier: Apache-2.0
import TapFilter

/// What a shell offers where a filter is typed.
enum FilterCompletion {
  /// - Parameter typed: the filter so far.
  /// - Returns: whole filters that begin with it, each with one word more.
  static func candidates(_ typed: String) -> [String] {
    FilterSuggestions.completions(of: typed, FilterWords.vocabulary())
  }
}
