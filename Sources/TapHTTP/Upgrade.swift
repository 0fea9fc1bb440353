// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The WebSocket handshake (RFC 6455 §4) as an observer reads it: the head of the request. Its
/// fields are looked up when the answer has come.
struct Upgrade {
  let head: Head
  /// `ws://host/target`, or `wss:`.
  let url: [UInt8]
  /// It is an extended CONNECT, which has no key (RFC 8441 §5).
  let isExtendedConnect: Bool

  /// The upgrade that a request asks for; nil for none.
  ///
  /// - Parameter isSecure: the request comes over TLS.
  init?(request head: Head, isSecure: Bool = false) {
    guard head.lists("websocket", in: "upgrade") else { return nil }
    url = Self.url(head, isSecure ? "wss" : "ws", head.place("host") ?? ByteRange())
    (self.head, isExtendedConnect) = (head, false)
  }

  /// The WebSocket that an extended CONNECT of HTTP/2 asks for (RFC 8441 §4, §5); nil for none.
  init?(extendedConnect head: Head) {
    guard head.isMethod("CONNECT"), head.value(":protocol")?.elementsEqual("websocket".utf8) == true
    else { return nil }
    let isSecure = head.value(":scheme")?.elementsEqual("https".utf8) == true
    let host = head.place(":authority") ?? head.place("host") ?? ByteRange()
    url = Self.url(head, isSecure ? "wss" : "ws", host)
    (self.head, isExtendedConnect) = (head, true)
  }

  /// The subprotocols that the client offers, in order.
  var offered: [[UInt8]] { head.list("sec-websocket-protocol") }

  /// The names of the extensions that the client offers, in lower case.
  var offeredExtensions: Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    head.forEachElement(of: Self.extensions) { names.insert(Self.name(of: $0)) }
    return names
  }

  /// The offers of permessage-deflate: the server has to answer one of them.
  var offers: [DeflateParameters] {
    var offers: [DeflateParameters] = []
    head.forEachElement(of: Self.extensions) {
      if Self.isDeflate(Self.name(of: $0)) {
        offers.append(DeflateParameters($0, isAnswer: false))
      }
    }
    return offers
  }

  /// The rules of RFC 6455 that the request breaks.
  var faults: HandshakeFaults {
    isExtendedConnect ? HandshakeFaults(extendedConnect: head) : HandshakeFaults(request: head)
  }

  /// Whether a response accepts WebSocket: 101 with an Upgrade to it, or without any Upgrade if
  /// WebSocket was asked for.
  static func isAccepted(by head: Head, isAsked: Bool) -> Bool {
    head.status == 101
      && (head.lists("websocket", in: "upgrade") || isAsked && !head.has("upgrade"))
  }

  /// A request to a proxy has the host in its target (RFC 9112 §3.2.2).
  private static func url(_ head: Head, _ scheme: StaticString, _ host: ByteRange) -> [UInt8] {
    let target = head.bytes[head.targetPlace]
    var url = TextBuffer(capacity: 16 + host.count + target.byteCount)
    url.append(scheme)
    url.append("://")
    if let authority = URLCredentials.authority(target) {
      url.append(target.dropping(authority))
    } else {
      url.append(head.bytes[host])
      url.append(target)
    }
    return url.bytes.copied()
  }

  /// RFC 6455 §4.2.2: the answer is base64 of the SHA-1 of the key and a fixed text.
  static func isAnswer(_ accept: RawSpan, to key: RawSpan) -> Bool {
    var text: [UInt8] = []
    text.reserveCapacity(128)
    key.withUnsafeBytes { text += $0 }
    text += "258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8
    return Base64.isEncoded(SHA1.digest(of: text.span.bytes).span.bytes, as: accept)
  }

  static let extensions: StaticString = "sec-websocket-extensions"

  /// The name in an element of an extensions list, in lower case.
  static func name(of element: RawSpan) -> [UInt8] {
    let end = element.firstIndex(of: 0x3B) ?? element.byteCount
    return Head.lowered(Head.trimmed(element[ByteRange(0, end)]))
  }

  static func isDeflate(_ name: [UInt8]) -> Bool {
    name.elementsEqual(DeflateParameters.name.utf8)
  }
}
