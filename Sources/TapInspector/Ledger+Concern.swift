// SPDX-License-Identifier: Apache-2.0

extension Ledger {
  /// What is to be looked for in messages about a subject.
  struct Concern: OptionSet {
    let rawValue: UInt8
    /// They may carry credentials.
    static let secrets = Concern(rawValue: 1)
    /// They may say what ids stand for.
    static let lessons = Concern(rawValue: 2)
  }
}
