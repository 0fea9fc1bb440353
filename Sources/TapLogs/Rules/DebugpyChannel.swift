// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The channel that debugpy names before an arrow, `Client[1] --> {`, `Server[pid=4711] <-- {`: its
/// adapter talks with several peers, which the arrow points away from where they send. It is a
/// server of clients, and a client of the servers in what is debugged.
enum DebugpyChannel {
  private static let peers: [(name: StaticString, isClient: Bool)] = [
    ("Client", true), ("Server", false),
  ]
  private static let arrows: [(text: StaticString, isFromPeer: Bool)] = [
    ("-->", true), ("<--", false),
  ]

  /// The name of every server whose number the adapter does not know yet.
  private static let unknownServer = "Server[?]"

  /// Whether a name is that of a server which the adapter does not know yet.
  static func isUnknown(_ name: String) -> Bool { name.hasPrefix(unknownServer) }

  /// Whether a name is that of a server which had none before.
  static func isKnown(_ name: String) -> Bool { name.hasPrefix("Server[") && !isUnknown(name) }

  /// The connection that a message belongs to; nil where no channel stands before it. Servers that
  /// are not known have one name: what the adapter sends to each is counted from 1.
  ///
  /// - Parameter servers: how many of these there are.
  static func connection(
    _ prefix: RawSpan, before message: RawSpan, _ servers: inout Int
  ) -> String? {
    guard let channel = find(prefix) else { return nil }
    let name = String(
      decoding: prefix.extracting(channel.name).copied(), as: Unicode.UTF8.self)
    if name != unknownServer { return name }
    if channel.direction == .toServer && isFirst(message) { servers += 1 }
    return servers > 1 ? "\(name) \(servers)" : name
  }

  /// `{ "seq": 1, …`
  private static func isFirst(_ message: RawSpan) -> Bool {
    guard message.starts(with: "{") else { return false }
    return message.dropping(message.behindSpace(1)).starts(with: "\"seq\": 1,")
  }

  /// Who sends, and the name of the channel; nil where none stands before the message.
  ///
  /// - Parameter prefix: what is before the message.
  static func find(_ prefix: RawSpan) -> (direction: LogDirection, name: Range<Int>)? {
    let end = prefix.beforeBlanks(prefix.byteCount)
    guard end > 8,
      let arrow = arrows.first(where: { prefix.extracting(end - 3..<end).equals($0.text) }),
      prefix.extracting(end - 5..<end - 3).equals("] ")
    else { return nil }
    let close = end - 5
    var at = prefix.before(close) { $0.isDigit || $0 == UInt8(ascii: "?") }
    if at >= 4, prefix.extracting(at - 4..<at).equals("pid=") { at -= 4 }
    guard at < close, at > 6, prefix.byte(at: at - 1) == .openBracket else { return nil }
    let start = at - 7
    guard let peer = peers.first(where: { prefix.extracting(start..<at - 1).equals($0.name) }),
      start == 0 || !prefix.byte(at: start - 1).isWord
    else { return nil }
    return (peer.isClient == arrow.isFromPeer ? .toServer : .toClient, start..<close + 1)
  }
}
