// SPDX-License-Identifier: Apache-2.0

/// What an application protocol means by a code of a WebSocket CLOSE frame.
public struct CloseMeaning: Sendable {
  /// In the words of the protocol: `forbidden`.
  public var words: StaticString
  /// Whether the client shall connect again; nil where the protocol does not say.
  public var isToReconnect: Bool?

  public init(_ words: StaticString, isToReconnect: Bool?) {
    (self.words, self.isToReconnect) = (words, isToReconnect)
  }
}
