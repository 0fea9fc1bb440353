// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The rules of RFC 6455 that one head of a handshake breaks, in words, with their sections.
struct HandshakeFaults {
  private var texts: [String] = []
  private var sections: [String] = []

  /// - Parameter section: of RFC 6455: `§4.1`.
  mutating func add(_ text: String, _ section: String) {
    texts.append(text)
    if !sections.contains(section) { sections.append(section) }
  }

  /// Adds a fault for a field that may occur only once.
  mutating func add(
    repeated name: StaticString, called shown: StaticString, in head: Head, _ section: String
  ) {
    let count = head.count(name)
    if count > 1 { add("it has \(shown) \(count == 2 ? "twice" : "\(count) times")", section) }
  }

  /// One finding for all faults; nil when there are none.
  ///
  /// - Parameter whose: the name of the head.
  func finding(of whose: String, _ origin: Origin) -> Finding? {
    if texts.isEmpty { return nil }
    var finding = Finding(
      .badUpgrade, .error, origin, "\(whose) breaks the rules: \(texts.joined(separator: ", "))")
    finding.source = "RFC 6455 \(sections.joined(separator: ", "))"
    return finding
  }
}

/// The rules of RFC 6455 for the heads of a handshake.
extension HandshakeFaults {
  /// Checks a request (RFC 6455 §4.1).
  init(request head: Head) {
    if !head.isMethod("GET") { add("its method is not GET", "§4.1") }
    if let version = head.oldVersion { add("its version is \(version)", "§4.1") }
    if head.hasFragment { add("what it asks for has a fragment", "§3") }
    if !head.has("host") { add("it has no Host", "§4.1") }
    if !head.lists("upgrade", in: "connection") { add("its Connection lacks Upgrade", "§4.1") }
    let key = head.bytes[head.place("sec-websocket-key") ?? ByteRange()]
    if key.isEmpty {
      add("it has no Sec-WebSocket-Key", "§4.1")
    } else if !Self.isNonce(key) {
      add("its Sec-WebSocket-Key is not 16 bytes in base64", "§4.1")
    }
    add(repeated: "sec-websocket-key", called: "Sec-WebSocket-Key", in: head, "§11.3.1")
    addShared(head)
  }

  /// Checks the request of an extended CONNECT, which has no key and no upgrade (RFC 8441 §5).
  init(extendedConnect head: Head) { addShared(head) }

  private mutating func addShared(_ head: Head) {
    let version = head.bytes[head.place("sec-websocket-version") ?? ByteRange()]
    if version.isEmpty {
      add("it has no Sec-WebSocket-Version", "§4.1")
    } else if !version.equals("13") {
      let shown = String(decoding: version.copied(), as: Unicode.UTF8.self)
      add("its Sec-WebSocket-Version is \(shown), not 13", "§4.1")
    }
    add(repeated: "sec-websocket-version", called: "Sec-WebSocket-Version", in: head, "§11.3.5")
    var (count, areTokens) = (0, true)
    head.forEachElement(of: "sec-websocket-protocol") {
      count += 1
      if !Self.isToken($0) { areTokens = false }
    }
    if !areTokens {
      add("it offers a subprotocol whose name has characters that are not allowed", "§4.1")
    }
    if count > 1, Set(head.list("sec-websocket-protocol")).count < count {
      add("it offers a subprotocol twice", "§4.1")
    }
  }

  /// Checks a response that accepts (RFC 6455 §4.2.2 and §4.1).
  ///
  /// - Parameter upgrades: it is an HTTP/1.1 response, which changes the connection's protocol.
  init(response head: Head, upgrades: Bool) {
    if upgrades {
      if let version = head.oldVersion { add("its version is \(version)", "§4.2.2") }
      if !head.lists("websocket", in: "upgrade") {
        add("it has no Upgrade to websocket", "§4.2.2")
      }
      if !head.lists("upgrade", in: "connection") {
        add("its Connection lacks Upgrade", "§4.2.2")
      }
      add(repeated: "sec-websocket-accept", called: "Sec-WebSocket-Accept", in: head, "§11.3.3")
    }
    add(
      repeated: "sec-websocket-extensions", called: "Sec-WebSocket-Extensions", in: head,
      "§11.3.2")
    add(
      repeated: "sec-websocket-protocol", called: "Sec-WebSocket-Protocol", in: head, "§11.3.4")
  }

  /// Checks a response that asks for another version: it must say which (RFC 6455 §4.4).
  init(refusal head: Head) {
    if head.status == 426 && !head.has("sec-websocket-version") {
      add("it has no Sec-WebSocket-Version", "§4.4")
    }
  }

  /// 16 bytes in base64: 22 characters and the padding.
  private static func isNonce(_ key: RawSpan) -> Bool {
    guard key.byteCount == 24, key.dropping(22).equals("==") else { return false }
    for at in 0..<22 {
      switch key.byte(at: at) {
      case 0x2B, 0x2F...0x39, 0x41...0x5A, 0x61...0x7A: break
      default: return false
      }
    }
    return true
  }

  /// Which characters a subprotocol's name may have (RFC 6455 §4.1, RFC 9110 §5.6.2).
  private static func isToken(_ name: RawSpan) -> Bool {
    for at in 0..<name.byteCount {
      switch name.byte(at: at) {
      case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C,
        0x7E:
        break
      default: return false
      }
    }
    return true
  }
}

extension Head {
  /// The version of HTTP, if it is too old for an upgrade.
  fileprivate var oldVersion: String? {
    isVersion("HTTP/1.0") ? "HTTP/1.0" : isVersion("HTTP/0.9") ? "HTTP/0.9" : nil
  }
}
