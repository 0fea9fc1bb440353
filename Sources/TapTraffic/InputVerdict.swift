// SPDX-License-Identifier: Apache-2.0

/// How an input was read that does not say itself what it is, in words for people.
public struct InputVerdict: Sendable {
  /// `log of Crossbar.io`.
  public var what: String
  /// Messages that the input passed on; nil where they are not worth a word. A dialect may find
  /// several in one, or none.
  public var messages: UInt64?
  /// What they were found in: `in 412 lines`.
  public var extent: String
  /// What else there is to say.
  public var remarks: [String]

  public init(
    _ what: String, messages: UInt64? = nil, extent: String = "", remarks: [String] = []
  ) {
    (self.what, self.messages, self.extent, self.remarks) = (what, messages, extent, remarks)
  }

  /// `log of Crossbar.io, 27 messages in 412 lines; times in whole seconds`.
  ///
  /// - Parameter messages: that were shown; nil where not all of them were.
  public func words(counted messages: UInt64?) -> String {
    var first = what
    if let messages {
      let number = messages == 0 ? "no" : "\(messages)"
      first += ", \(number) message\(messages == 1 ? "" : "s") \(extent)"
    }
    return ([first] + remarks).joined(separator: "; ")
  }
}
