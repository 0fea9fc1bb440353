// SPDX-License-Identifier: Apache-2.0

/// Builds HTTP/2 frames (RFC 9113), with literal field sections (RFC 7541 §6.2).
public enum HTTP2Wire {
  public static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  /// The SETTINGS frame with which both sides begin.
  public static let settings = frame(4, stream: 0, [])

  public static func frame(
    _ type: UInt8, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8]
  ) -> [UInt8] {
    [UInt8(payload.count >> 16), UInt8(payload.count >> 8 & 0xFF), UInt8(payload.count & 0xFF)]
      + [type, flags] + PacketBuilder.big(stream) + payload
  }

  /// - Parameter isIndexed: each field is added to the dynamic table.
  public static func section(_ fields: [(String, String)], isIndexed: Bool = false) -> [UInt8] {
    fields.flatMap { name, value in
      [isIndexed ? 0x40 : 0x00] + text(name) + text(value)
    }
  }

  /// A string without Huffman coding (RFC 7541 §5.2).
  private static func text(_ text: String) -> [UInt8] {
    let octets = Array(text.utf8)
    precondition(octets.count < 127)
    return [UInt8(octets.count)] + octets
  }

  /// HEADERS with END_HEADERS.
  public static func headers(
    stream: UInt32, _ fields: [(String, String)], endsStream: Bool = false
  ) -> [UInt8] {
    frame(1, flags: endsStream ? 5 : 4, stream: stream, section(fields))
  }

  /// The fields of an extended CONNECT (RFC 8441 §5).
  public static func connect(_ path: String, subprotocol: String = "wamp.2.json") -> [(
    String, String
  )] {
    [
      (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"), (":path", path),
      (":authority", "router.example"), ("sec-websocket-version", "13"),
      ("sec-websocket-protocol", subprotocol),
    ]
  }

  /// The fields of an accepting server.
  public static let agreed = [(":status", "200"), ("sec-websocket-protocol", "wamp.2.json")]

  /// - Parameter padding: the length of padding in bytes; nil for an unpadded frame.
  public static func data(
    stream: UInt32, _ content: [UInt8], padding: Int? = nil, endsStream: Bool = false
  ) -> [UInt8] {
    let flags: UInt8 = (endsStream ? 1 : 0) | (padding == nil ? 0 : 8)
    guard let padding else { return frame(0, flags: flags, stream: stream, content) }
    return frame(
      0, flags: flags, stream: stream,
      [UInt8(padding)] + content + [UInt8](repeating: 0, count: padding))
  }
}
