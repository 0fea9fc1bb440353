// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Conversations that somebody else tells apart.
extension LogConversations {
  /// Whether one that was opened here still goes on; its place may have been given to another.
  func isOpen(_ talk: Int, _ flow: UInt32) -> Bool {
    talks[talk].flow == flow && !talks[talk].isClosed
  }

  mutating func end(
    _ talk: Int, _ closing: Closing, _ origin: Origin, _ sink: any EvidenceSink
  ) {
    talks[talk].last = origin
    talks[talk].last.flow = talks[talk].flow
    close(talk, as: closing, sink)
  }
}
