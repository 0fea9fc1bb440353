// SPDX-License-Identifier: Apache-2.0
import Crypto
import TapBytes
import TapTraffic

extension Finding.Code {
  /// The server answered an upgrade request with another status than 101 (RFC 6455 §4.2.2).
  static let upgradeRefused: Self = "http.upgrade-refused"
  /// Nothing answered an upgrade request before its connection ended (RFC 6455 §4.1).
  static let upgradeUnanswered: Self = "http.upgrade-unanswered"
  /// `Sec-WebSocket-Accept` is missing or is not what the key asks for (RFC 6455 §4.2.2): a cache,
  /// a proxy, or no WebSocket server answered.
  static let acceptMismatch: Self = "http.accept-mismatch"
  /// The server chose a subprotocol that the client did not offer (RFC 6455 §4.1).
  static let subprotocolNotOffered: Self = "websocket.subprotocol-not-offered"
  /// The request or the response of the upgrade lacks what RFC 6455 §4.1 and §4.2.2 ask for.
  static let badUpgrade: Self = "http.bad-upgrade"
  /// The server uses an extension that the client did not offer, one that is unknown, or a
  /// parameter out of range (RFC 6455 §9.1, RFC 7692 §7.1).
  static let badExtension: Self = "websocket.bad-extension"
}

/// The WebSocket handshake (RFC 6455 §4) as an observer reads it.
struct Upgrade {
  var target: [UInt8]
  var host: [UInt8]
  /// Nil for an extended CONNECT, which has none (RFC 8441 §5).
  var key: [UInt8]?
  /// `ws` or `wss`.
  var scheme: StaticString
  var offered: [[UInt8]]
  var offeredExtensions: [[UInt8]]
  /// What the request asks of permessage-deflate: one of these is to be answered.
  var offers: [DeflateOffer] = []
  /// Which rules of RFC 6455 §4.1 the request breaks, in words.
  var faults: [String] = []
  /// The head as it may be shown; empty where nobody asked for it.
  var lines: [[UInt8]] = []

  /// The upgrade that a request asks for, or nil.
  ///
  /// - Parameter isSecure: it comes over TLS.
  init?(request head: Head, isSecure: Bool = false) {
    guard head.lists("websocket", in: "upgrade") else { return nil }
    scheme = isSecure ? "wss" : "ws"
    target = head.target
    host = head.value("host") ?? []
    key = head.value("sec-websocket-key") ?? []
    offered = head.list("sec-websocket-protocol")
    offeredExtensions = []
    offer(extensionsOf: head)
    faults = Self.faults(of: head, key: key ?? [])
  }

  private mutating func offer(extensionsOf head: Head) {
    let extensions = head.list("sec-websocket-extensions")
    offeredExtensions = extensions.map { Self.name(of: $0) }
    for element in extensions where Self.name(of: element).elementsEqual(Self.deflateName.utf8) {
      offers.append(DeflateOffer(element))
    }
  }

  private static let deflateName = "permessage-deflate"

  /// RFC 6455 §4.1, the rules of the request.
  private static func faults(of head: Head, key: [UInt8]) -> [String] {
    var faults: [String] = []
    if head.method != "GET" { faults.append("its method is not GET") }
    if head.value("host") == nil { faults.append("it has no Host") }
    if !head.lists("upgrade", in: "connection") { faults.append("its Connection lacks Upgrade") }
    if key.isEmpty {
      faults.append("it has no Sec-WebSocket-Key")
    } else if key.count != 24 || key.suffix(2) != [0x3D, 0x3D] {
      faults.append("its Sec-WebSocket-Key is not 16 octets in base64")
    }
    let version = head.value("sec-websocket-version") ?? []
    if !version.elementsEqual("13".utf8) {
      faults.append(
        version.isEmpty
          ? "it has no Sec-WebSocket-Version"
          : "its Sec-WebSocket-Version is \(text(version)), not 13")
    }
    return faults
  }

  /// The WebSocket that an extended CONNECT of HTTP/2 asks for (RFC 8441 §4, §5), or nil.
  init?(extendedConnect head: Head) {
    guard head.method == "CONNECT", head.value(":protocol")?.elementsEqual("websocket".utf8) == true
    else { return nil }
    scheme = head.value(":scheme")?.elementsEqual("https".utf8) == true ? "wss" : "ws"
    target = head.target
    host = head.value(":authority") ?? head.value("host") ?? []
    offered = head.list("sec-websocket-protocol")
    offeredExtensions = []
    offer(extensionsOf: head)
  }

  /// Whether a response agrees to speak WebSocket.
  static func isAccepted(by head: Head) -> Bool {
    head.status == 101 && head.lists("websocket", in: "upgrade")
  }

  /// `ws://host/target`. A request to a proxy names the host in its target (RFC 9112 §3.2.2).
  var url: [UInt8] {
    let start = Array("\(scheme)://".utf8)
    if let authority = ShownURL.authority(target) { return start + target[authority...] }
    return start + host + target
  }

  /// Fills in what the response settled; findings are given to `tell`.
  ///
  /// - Parameter request: nil when the request was not captured.
  static func settle(
    _ opening: inout Opening, request: Upgrade?, response: Head,
    tell: (Finding.Code, Finding.Severity, String) -> Void
  ) {
    let accept = response.value("sec-websocket-accept") ?? []
    if let request {
      opening.url = request.url
      opening.offered = request.offered
      if !request.faults.isEmpty {
        tell(
          .badUpgrade, .error,
          "the request for WebSocket breaks the rules: \(request.faults.joined(separator: ", "))")
      }
      if request.key != nil && !response.lists("upgrade", in: "connection") {
        tell(.badUpgrade, .error, "the Connection of the response lacks Upgrade")
      }
      if let key = request.key, accept != acceptKey(for: key) {
        tell(
          .acceptMismatch, .error,
          accept.isEmpty
            ? "the response to the upgrade has no Sec-WebSocket-Accept"
            : "Sec-WebSocket-Accept does not fit the key that the client sent")
      }
    }
    if let chosen = response.value("sec-websocket-protocol") {
      opening.subprotocol = chosen
      if let request, !request.offered.contains(chosen) {
        let name = text(Opening.shown(subprotocol: chosen))
        tell(
          .subprotocolNotOffered, .error,
          "the server chose the subprotocol \(name), which the client did not offer")
      }
    }
    for element in response.list("sec-websocket-extensions") {
      let name = Self.name(of: element)
      opening.extensions.append(name)
      if let request, !request.offeredExtensions.contains(name) {
        tell(
          .badExtension, .error,
          "the server uses the extension \(text(name)), which the client did not offer")
      }
      if name.elementsEqual(deflateName.utf8) {
        opening.deflate = deflate(element, tell)
        let answer = DeflateOffer(element)
        let misfits = request?.offers.map { $0.misfit(answer) } ?? []
        if !misfits.isEmpty, !misfits.contains(nil), let misfit = misfits[0] {
          tell(.badExtension, .error, misfit)
        }
      } else {
        tell(
          .badExtension, .warning,
          "the extension \(text(name)) is not known here: frames may not be read correctly")
      }
    }
  }

  /// RFC 6455 §4.2.2: base64 of the SHA-1 of the key and a fixed text.
  private static func acceptKey(for key: [UInt8]) -> [UInt8] {
    let guid = Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
    let digest = ContiguousArray(Insecure.SHA1.hash(data: key + guid))
    return Base64.encoded(digest.span.bytes)
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: Unicode.UTF8.self)
  }

  private static func name(of element: [UInt8]) -> [UInt8] {
    Array(Head.lowered(Head.split(element, at: 0x3B)[0]).utf8)
  }

  /// The parameters of permessage-deflate as the server settled them (RFC 7692 §7.1).
  private static func deflate(
    _ element: [UInt8], _ tell: (Finding.Code, Finding.Severity, String) -> Void
  ) -> Opening.Deflate {
    var deflate = Opening.Deflate()
    for parameter in Head.split(element, at: 0x3B).dropFirst() {
      let parts = Head.split(parameter, at: 0x3D)
      let name = Head.lowered(parts[0])
      let value = parts.count > 1 ? text(parts[1].filter { $0 != 0x22 }) : ""
      let bits = Int32(value).flatMap { (8...15).contains($0) ? $0 : nil }
      switch name {
      case "server_no_context_takeover": deflate.serverKeepsContext = false
      case "client_no_context_takeover": deflate.clientKeepsContext = false
      case "server_max_window_bits" where bits != nil: deflate.serverWindowBits = bits!
      case "client_max_window_bits" where bits != nil: deflate.clientWindowBits = bits!
      default:
        tell(
          .badExtension, .error,
          "permessage-deflate has a parameter that is not allowed: \(text(parameter))")
      }
    }
    return deflate
  }
}
