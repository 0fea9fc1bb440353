// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The types of Engine.IO packets: the first character of a text packet (engine.io-protocol,
/// "Packet types").
enum EngineIOType: UInt8, CaseIterable {
  case open, close, ping, pong, message, upgrade, noop

  init?(_ bytes: RawSpan) {
    guard bytes.byteCount > 0, let type = Self(rawValue: bytes.byte(at: 0) &- 0x30) else {
      return nil
    }
    self = type
  }

  var name: StaticString {
    switch self {
    case .open: "OPEN"
    case .close: "CLOSE"
    case .ping: "PING"
    case .pong: "PONG"
    case .message: "MESSAGE"
    case .upgrade: "UPGRADE"
    case .noop: "NOOP"
    }
  }
}

/// The numbered revisions of the Engine.IO protocol.
enum EngineIORevision: UInt8 {
  case two = 2
  case three, four
}

/// The query of a request URL (engine.io-protocol, "Query parameters").
struct EngineIOQuery {
  /// Nil when `EIO` is missing or another number.
  var revision: EngineIORevision?
  /// `polling` or `websocket`; empty when missing.
  var transport: [UInt8] = []
  /// The session that the request belongs to; empty in the request that opens one.
  var session: [UInt8] = []
  /// It uses JSONP polling.
  var isScript = false

  /// Nil when the URL is not Engine.IO's: that needs `EIO` and `transport`.
  init?(url: [UInt8]) {
    guard let mark = url.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    var hasRevision = false
    for pair in url[(mark + 1)...].split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      if parts[0].elementsEqual("EIO".utf8) {
        hasRevision = true
        let digit = parts[1].count == 1 ? parts[1].first.map { $0 &- 0x30 } : nil
        revision = digit.flatMap { EngineIORevision(rawValue: $0) }
      } else if parts[0].elementsEqual("transport".utf8) {
        transport = Array(parts[1])
      } else if parts[0].elementsEqual("sid".utf8) {
        session = Array(parts[1])
      } else if parts[0].elementsEqual("j".utf8) {
        isScript = true
      }
    }
    if !hasRevision || transport.isEmpty { return nil }
  }
}
