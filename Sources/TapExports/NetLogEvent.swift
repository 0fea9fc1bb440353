// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// One event of a NetLog, its members in any order.
struct NetLogEvent {
  /// Those that are read, under the names of Chromium's net_log_event_type_list.h.
  enum Kind: Equatable, CaseIterable {
    case socketSent, socketReceived, secureSent, secureReceived
    case connect, secureConnect, alive, frameSent, frameReceived

    var name: StaticString {
      switch self {
      case .socketSent: "SOCKET_BYTES_SENT"
      case .socketReceived: "SOCKET_BYTES_RECEIVED"
      case .secureSent: "SSL_SOCKET_BYTES_SENT"
      case .secureReceived: "SSL_SOCKET_BYTES_RECEIVED"
      case .connect: "TCP_CONNECT"
      case .secureConnect: "SSL_CONNECT"
      case .alive: "SOCKET_ALIVE"
      case .frameSent: "WEBSOCKET_SENT_FRAME_HEADER"
      case .frameReceived: "WEBSOCKET_RECV_FRAME_HEADER"
      }
    }
  }

  enum Phase {
    case none, begin, end
  }

  var offset: UInt64 = 0
  var record: UInt64 = 0
  var type: Int64?
  var phase: Int64 = 0
  var source: Int64?
  var ticks: Int64?
  /// Bytes that the event says it is about.
  var byteCount: Int64?
  var localAddress: [UInt8] = []
  var remoteAddress: [UInt8] = []
  /// What TLS has settled, `TLS 1.3`, and by ALPN (RFC 7301).
  var version: [UInt8] = []
  var applicationProtocol: [UInt8] = []
  /// The bytes, if the log was taken with them.
  var bytes = Scratch()
  var hasBytes = false
  /// They are no base64.
  var isDamaged = false

  init(offset: UInt64 = 0, record: UInt64 = 0) { (self.offset, self.record) = (offset, record) }

  /// `bytes`, in base64.
  mutating func take(base64: RawSpan) {
    bytes.removeAll()
    hasBytes = true
    isDamaged = Base64.decode(base64, into: &bytes) != nil
    if isDamaged { bytes.removeAll() }
  }
}
