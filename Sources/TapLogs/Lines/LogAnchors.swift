// SPDX-License-Identifier: Apache-2.0

/// Words on a line that say by themselves that it is worth reading.
struct LogAnchors: OptionSet {
  let rawValue: UInt8
  /// Those of a known program.
  static let program = LogAnchors(rawValue: 1)
  /// A word that only objects have that are messages.
  static let object = LogAnchors(rawValue: 2)
  /// Words that say that JSON behind them, or on the line below, was sent.
  static let sent = LogAnchors(rawValue: 4)

  /// Its words are all about objects.
  var isOfObjects: Bool { !isEmpty && !contains(.program) }
}
