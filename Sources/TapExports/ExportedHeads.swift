// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The request and the response that opened an exported conversation, as HTTP/1.1 writes them
/// (RFC 9112 §2), whatever version carried them: collected field by field, in any order.
struct ExportedHeads {
  var url: [UInt8] = []
  var method: [UInt8] = []
  var target: [UInt8] = []
  var status: [UInt8] = []
  var reason: [UInt8] = []
  /// Of the field Host: with the port, where it is not that of the scheme (RFC 9110 §7.2).
  private(set) var host: [UInt8] = []
  private var requestFields: [UInt8] = []
  private var responseFields: [UInt8] = []

  /// A field of the request or of the response; those of HTTP/2 that begin with a colon are none.
  mutating func append(
    _ name: [UInt8], _ value: [UInt8], toResponse: Bool, most: Int
  ) {
    let size = name.count + value.count + 4
    guard let first = name.first, first != .colon,
      (toResponse ? responseFields.count : requestFields.count) + size <= most
    else { return }
    let line =
      name + [.colon, .space] + value.map { $0 == .lineFeed || $0 == .carriageReturn ? .space : $0 }
    if toResponse {
      responseFields += line + [.lineFeed]
    } else {
      requestFields += line + [.lineFeed]
      if name.count == 4, name.map({ $0 | 0x20 }).elementsEqual("host".utf8) { host = value }
    }
  }

  /// Takes all that others know of the request, or of the response.
  mutating func take(_ others: ExportedHeads, ofResponse: Bool) {
    if ofResponse {
      (status, reason, responseFields) = (others.status, others.reason, others.responseFields)
    } else {
      (host, requestFields) = (others.host, others.requestFields)
    }
  }

  /// The status of the answer; empty where there was none, for which some exports write 0.
  var answer: [UInt8] { status.count == 3 && status.allSatisfy(\.isDigit) ? status : [] }

  /// Whether the server agreed to speak WebSocket.
  var isAccepted: Bool { status.elementsEqual("101".utf8) }

  /// Whether the request is one for WebSocket.
  var asksForWebSocket: Bool {
    String(decoding: requestFields, as: Unicode.UTF8.self).lowercased()
      .contains("upgrade: websocket")
  }

  /// Whether the URL is one of WebSocket (RFC 6455 §3).
  var isOfWebSocket: Bool { url.starts(with: "ws:".utf8) || url.starts(with: "wss:".utf8) }

  /// What the server said when it was asked for WebSocket and did not agree (RFC 6455 §4.2.2); nil
  /// where it agreed, or was not asked. An answer to a request for a page at that URL is none.
  func refusal(of name: String) -> String? {
    guard asksForWebSocket || isOfWebSocket, !isAccepted, status.count == 3,
      let first = status.first, (0x33...0x35).contains(first)
    else { return nil }
    let answer = status + (reason.isEmpty ? [] : [0x20] + reason)
    return "\(name) was asked for WebSocket and refused: "
      + String(decoding: answer, as: Unicode.UTF8.self)
  }

  /// Those of SockJS's transports that have bodies (SockJS protocol 0.3.4).
  private static let transports = [
    "xhr", "xhr_send", "xhr_streaming", "eventsource", "htmlfile", "jsonp", "jsonp_send",
  ]

  /// Whether the bodies may have messages in them: those of Engine.IO, whose URLs say that they are
  /// (engine.io-protocol, "Transports"), or of SockJS. Who reads them looks more closely.
  var mayCarryMessages: Bool {
    guard method.elementsEqual("GET".utf8) || method.elementsEqual("POST".utf8),
      url.allSatisfy({ $0 > 0x20 }), !isAccepted, !isOfWebSocket
    else { return false }
    let query = url[path.endIndex...]
    if query.contains(Array("EIO=".utf8)) && query.contains(Array("transport=".utf8)) {
      return true
    }
    return asksForInfo || isOfSockJS
  }

  /// Whether it may be the question that SockJS asks before a session (SockJS protocol 0.3.4): what
  /// else has such a path shows in the answer alone.
  var asksForInfo: Bool {
    method.elementsEqual("GET".utf8) && path.suffix(5).elementsEqual("/info".utf8)
  }

  /// `/PREFIX/SERVER/SESSION/TRANSPORT`, without a period in the session's id and before it.
  private var isOfSockJS: Bool {
    let parts = path.split(separator: .slash, omittingEmptySubsequences: false).suffix(3)
    guard parts.count == 3, let server = parts.first, let last = parts.last else { return false }
    let session = parts[parts.startIndex + 1]
    return !server.isEmpty && !server.contains(.period) && !session.isEmpty
      && !session.contains(.period) && Self.transports.contains { last.elementsEqual($0.utf8) }
  }

  /// Whether its answer is a stream of messages, which stays open (SockJS protocol 0.3.4, "HTTP
  /// streaming").
  var isStreamed: Bool {
    isOfSockJS
      && ["/xhr_streaming", "/eventsource", "/htmlfile"].contains {
        path.suffix($0.utf8.count).elementsEqual($0.utf8)
      }
  }

  /// Where the message ends that opens a session, `o`: what the server sends first, behind filling
  /// that makes browsers hand on what is there. 0 in an answer that goes on with a session.
  static func endOfOpening(_ body: RawSpan) -> Int {
    var start = 0
    while let end = body.firstIndex(of: .lineFeed, from: start) {
      let isReturned = end > start && body.byte(at: end - 1) == .carriageReturn
      let line = body.extracting(start..<(isReturned ? end - 1 : end))
      if line.equals("o") || line.equals("data: o") || line.equals("p(\"o\");") { return end + 1 }
      // A list of messages.
      if line.firstIndex(of: .openBracket) != nil { return 0 }
      start = end + 1
    }
    return 0
  }

  private var path: ArraySlice<UInt8> { url.prefix { $0 != UInt8(ascii: "?") } }

  /// The fields of these names, in small letters, as lines.
  func fields(_ names: [String], ofResponse: Bool) -> [UInt8] {
    (ofResponse ? responseFields : requestFields).split(separator: .lineFeed)
      .filter { line in
        let name = line.prefix { $0 != .colon }.map { $0 | 0x20 }
        return names.contains { name.elementsEqual($0.utf8) }
      }
      .flatMap { $0 + [.carriageReturn, .lineFeed] }
  }

  /// `GET /ws HTTP/1.1` and its fields; empty when nothing is known of it.
  var request: [UInt8] {
    if requestFields.isEmpty { return [] }
    let asked = target.isEmpty ? Self.target(of: url) : target
    let method = method.isEmpty ? Array("GET".utf8) : method
    return method + [.space] + asked + Array(" HTTP/1.1\n".utf8) + requestFields
  }

  var response: [UInt8] {
    if status.isEmpty { return [] }
    return Array("HTTP/1.1 ".utf8) + status + [.space] + reason + [.lineFeed] + responseFields
  }

  /// `ws://host/path`: exports name the scheme of HTTP, too.
  var webSocketURL: [UInt8] {
    for (http, webSocket) in [("http://", "ws://"), ("https://", "wss://")]
    where url.starts(with: http.utf8) {
      return Array(webSocket.utf8) + url.dropFirst(http.utf8.count)
    }
    return url
  }

  /// What follows the authority (RFC 3986 §3).
  private static func target(of url: [UInt8]) -> [UInt8] {
    guard let scheme = url.firstRange(of: Array("://".utf8)) else { return url }
    let rest = url[scheme.upperBound...]
    guard let slash = rest.firstIndex(where: { $0 == .slash || $0 == UInt8(ascii: "?") }) else {
      return Array("/".utf8)
    }
    return Array(rest[slash...])
  }

  var isSecure: Bool { url.starts(with: "wss:".utf8) || url.starts(with: "https:".utf8) }

  /// Host and port of the URL; empty where it has none.
  var authority: ArraySlice<UInt8> {
    guard let scheme = url.firstRange(of: Array("://".utf8)) else { return [] }
    return url[scheme.upperBound...].prefix { $0 != .slash && $0 != UInt8(ascii: "?") }
  }

  /// The port of the URL's authority; that of its scheme where it names none.
  var port: UInt16 {
    let usual: UInt16 = isSecure ? 443 : 80
    let authority = authority
    guard let colon = authority.lastIndex(of: .colon), !authority[colon...].contains(.closeBracket)
    else {
      return usual
    }
    return UInt16(String(decoding: authority[(colon + 1)...], as: Unicode.UTF8.self)) ?? usual
  }
}
