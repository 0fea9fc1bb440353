// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Known failures that do not fail the check, each with its count. One line each, sorted, so that
/// changes can be reviewed.
public struct Baseline: Sendable {
  public struct Entry: Sendable, Equatable {
    /// The finding's code, or the expectation's name.
    public var code: String
    public var subject: String
    public var count: UInt64

    public init(code: String, subject: String, count: UInt64) {
      (self.code, self.subject, self.count) = (code, subject, count)
    }
  }

  /// By fingerprint.
  public var entries: [String: Entry]

  public init(_ entries: [String: Entry] = [:]) { self.entries = entries }

  public func append(to text: inout TextBuffer) {
    text.append("{\"version\":1,\"entries\":[")
    let sorted = entries.sorted {
      ($0.value.code, $0.value.subject, $0.key) < ($1.value.code, $1.value.subject, $1.key)
    }
    for (number, (fingerprint, entry)) in sorted.enumerated() {
      text.append(number > 0 ? ",\n" : "\n")
      text.append("{\"code\":")
      text.append(jsonString: entry.code)
      text.append(",\"subject\":")
      text.append(jsonString: entry.subject)
      text.append(",\"count\":\(entry.count),\"fingerprint\":\"\(fingerprint)\"}")
    }
    text.append("\n]}\n")
  }
}
