// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence

extension InputChoice {
  /// The format of a log that was named, in `LogFormats.all`; nil for all of them.
  var logFormat: Int? {
    guard let input else { return nil }
    return LogFormats.all.firstIndex { $0.name.description == input }
  }
}
