// SPDX-License-Identifier: Apache-2.0

/// How an input was read whose format does not identify itself, in words for people.
public struct InputVerdict: Sendable {
  /// `log of Crossbar.io`.
  public var what: String
  /// Messages that the input passed on; nil where their number is not worth showing. A dialect may
  /// find several in one, or none.
  public var messages: UInt64?
  /// Where they were found: `in 412 lines`.
  public var extent: String
  /// Further remarks.
  public var remarks: [String]

  public init(
    _ what: String, messages: UInt64? = nil, extent: String = "", remarks: [String] = []
  ) {
    (self.what, self.messages, self.extent, self.remarks) = (what, messages, extent, remarks)
  }

  /// `log of Crossbar.io, 27 messages in 412 lines; times in whole seconds`.
  ///
  /// - Parameter messages: how many were shown; nil where not all of them were.
  public func words(counted messages: UInt64?) -> String {
    var first = what
    if let messages {
      let number = messages == 0 ? "no" : "\(messages)"
      first += ", \(number) message\(messages == 1 ? "" : "s") \(extent)"
    }
    return ([first] + remarks).joined(separator: "; ")
  }
}
