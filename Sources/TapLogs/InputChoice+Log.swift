// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence

extension InputChoice {
  /// Index in `LogFormats.all` of the log format that the user named; nil: any format.
  var logFormat: Int? {
    guard let input else { return nil }
    return LogFormats.all.firstIndex { $0.name.description == input }
  }
}
