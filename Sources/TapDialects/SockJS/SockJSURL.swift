// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The path of a session, `/PREFIX/SERVER/SESSION/TRANSPORT`: what a load balancer may go by, a
/// session id, and the transport (SockJS protocol 0.3.4, "Base URLs").
struct SockJSURL {
  private static let transports: [StaticString] = [
    "websocket", "xhr", "xhr_send", "xhr_streaming", "eventsource", "htmlfile", "jsonp",
    "jsonp_send",
  ]

  let session: ArraySlice<UInt8>
  let transport: StaticString
  /// SERVER is three digits, as the library chooses them, which paths of others do not have there.
  /// Applications may choose another; then only what is sent shows that it is SockJS.
  let isEvident: Bool
  /// Everything before SERVER, without the slash.
  let prefix: ArraySlice<UInt8>

  /// Nil when it is not the path of a session.
  init?(_ url: [UInt8]) {
    let parts = Self.path(url).split(separator: .slash, omittingEmptySubsequences: false)
    guard parts.count >= 4 else { return nil }
    let (server, session, last) = (
      parts[parts.count - 3], parts[parts.count - 2], parts[parts.count - 1]
    )
    guard !server.isEmpty, !server.contains(.period), !session.isEmpty, !session.contains(.period),
      let transport = Self.transports.first(where: { last.elementsEqual("\($0)".utf8) })
    else { return nil }
    (self.session, self.transport) = (session, transport)
    isEvident = server.count == 3 && server.allSatisfy(\.isDigit)
    prefix = url[..<(server.startIndex - 1)]
  }

  /// The part before the query.
  private static func path(_ url: [UInt8]) -> ArraySlice<UInt8> {
    url.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
  }

  var isOfWebSocket: Bool { transport.equals("websocket") }

  /// The request carries messages of the client.
  var isSending: Bool { transport.equals("xhr_send") || transport.equals("jsonp_send") }

  /// The key of a session: server, prefix and session id.
  var key: [UInt8] { place + [.space] + session }

  /// The server and its prefix, whatever the scheme.
  var place: [UInt8] { Self.place(prefix) }

  private static func place(_ prefix: ArraySlice<UInt8>) -> [UInt8] {
    Array(prefix.firstIndex(of: .colon).map { prefix[$0...] } ?? prefix)
  }

  /// For a URL that ends with `/websocket`, the part before that; nil for others.
  static func place(ofRaw url: [UInt8]) -> [UInt8]? {
    let path = path(url)
    let suffix = "/websocket".utf8
    guard path.suffix(suffix.count).elementsEqual(suffix), SockJSURL(url)?.isEvident != true
    else { return nil }
    return place(path.dropLast(suffix.count))
  }
}
