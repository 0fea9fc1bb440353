// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What the events of a browser say of one connection.
struct BrowserConnection {
  /// Its place among all of them, by their beginnings.
  let number: UInt64
  /// The number of its conversation; 0 before that is opened.
  var flow: UInt32 = 0
  var heads = ExportedHeads()
  /// It is an answer to HTTP that has events in it (HTML, "Server-sent events").
  var isOfEvents = false
  /// Its handshake was sent.
  var isAsked = false

  init(number: UInt64) { self.number = number }

  /// For people.
  var name: String {
    heads.url.isEmpty
      ? "a connection"
      : String(decoding: heads.url.prefix { $0 != UInt8(ascii: "?") }, as: Unicode.UTF8.self)
  }

  var opening: Opening {
    let isFromStart = isOfEvents ? !heads.url.isEmpty : heads.isAccepted
    var opening = Opening(
      .webSocket, client: .unknown, server: .unknown, isFromStart: isFromStart)
    opening.url = heads.url
    if !isOfEvents { (opening.request, opening.response) = (heads.request, heads.response) }
    (opening.provenance.isWrittenWhole, opening.provenance.isOfOneEnd) = (isFromStart, true)
    return opening
  }

  /// What the browser says of an answer that was no 101, which its events do not have:
  /// `Error during WebSocket handshake: Unexpected response code: 403`.
  mutating func take(error: [UInt8]) {
    guard let words = error.firstRange(of: Array("Unexpected response code: ".utf8)) else { return }
    heads.status = Array(error[words.upperBound...])
  }
}
