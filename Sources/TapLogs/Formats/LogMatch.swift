// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Which rule of which format a line follows.
struct LogMatch: Sendable {
  /// In `LogFormats.all`.
  var format: Int
  /// Of the format; nil where only words say who sends.
  var rule: Int?
  var way: LogRule.Way
  /// Behind the mark.
  var markEnd = 0

  var form: LogFormat { LogFormats.all[format] }
  var row: LogRule? { rule.map { LogFormats.all[format].rules[$0] } }
}
