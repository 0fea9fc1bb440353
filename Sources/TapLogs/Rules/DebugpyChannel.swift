// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The channel that debugpy names before an arrow, `Client[1] --> {`, `Server[2] <-- {`: its
/// adapter talks with several peers, which the arrow points away from where they send. It is a
/// server of clients, and a client of the servers in what is debugged.
enum DebugpyChannel {
  private static let peers: [(name: StaticString, isClient: Bool)] = [
    ("Client", true), ("Server", false),
  ]
  private static let arrows: [(text: StaticString, isFromPeer: Bool)] = [
    ("-->", true), ("<--", false),
  ]

  /// What lines call a server while the adapter does not know which it is.
  private static let unknownServer = "Server[?]"

  /// What the lines of a channel have called it before it had a number; nil for other names.
  static func unknown(_ name: String) -> String? {
    name.hasPrefix("Server[") && name != unknownServer ? unknownServer : nil
  }

  /// Who sends, and the name of the channel; nil where none stands before the message.
  ///
  /// - Parameter prefix: what is before the message.
  static func find(_ prefix: RawSpan) -> (way: LogRule.Way, name: Range<Int>)? {
    var end = prefix.byteCount
    while end > 0, prefix.byte(at: end - 1) == .space { end -= 1 }
    guard end > 8,
      let arrow = arrows.first(where: { prefix.extracting(end - 3..<end).equals($0.text) }),
      prefix.extracting(end - 5..<end - 3).equals("] ")
    else { return nil }
    let close = end - 5
    var at = close
    while at > 0, prefix.byte(at: at - 1).isDigit || prefix.byte(at: at - 1) == UInt8(ascii: "?") {
      at -= 1
    }
    guard at < close, at > 6, prefix.byte(at: at - 1) == .openBracket else { return nil }
    let start = at - 7
    guard let peer = peers.first(where: { prefix.extracting(start..<at - 1).equals($0.name) }),
      start == 0 || !prefix.byte(at: start - 1).isWord
    else { return nil }
    return (peer.isClient == arrow.isFromPeer ? .toServer : .toClient, start..<close + 1)
  }
}
