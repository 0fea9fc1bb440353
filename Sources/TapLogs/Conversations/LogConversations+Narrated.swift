// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Conversations that somebody else tells apart.
extension LogConversations {
  /// Whether one that was opened here still goes on; its place may have been given to another.
  func isOpen(_ conversation: Int, _ flow: UInt32) -> Bool {
    conversations[conversation].flow == flow && !conversations[conversation].isClosed
  }

  mutating func end(
    _ conversation: Int, _ closing: Closing, _ origin: Origin, _ sink: any EvidenceSink
  ) {
    conversations[conversation].last = origin
    conversations[conversation].last.flow = conversations[conversation].flow
    close(conversation, as: closing, sink)
  }
}
