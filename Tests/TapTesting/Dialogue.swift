// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TapLibraries
public import TapTraffic

/// A WebSocket client and server over a `Conversation`, and the capture of it. They send whatever
/// they are reported to, even if it breaks rules.
public struct Dialogue: Sendable {
  /// The example of RFC 6455 §1.3.
  public static let key = "dGhlIHNhbXBsZSBub25jZQ=="
  public static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

  public var conversation: Conversation
  /// The captured packets, in order.
  public var packets: [CaptureBuilder.Timed] = []
  /// The captured lengths of truncated packets, by index.
  public var cuts: [Int: Int] = [:]
  /// When the next packet is sent, in nanoseconds since 1970.
  public var clock: UInt64 = 1_767_225_600_000_000_000
  /// The time between two packets, in nanoseconds.
  public var step: UInt64 = 1_000_000
  /// The number of sent frames, as each has its own masking key.
  public var frames = 0
  /// The compressor of each side that compresses.
  public var deflaters: [Direction: Deflater] = [:]

  public init(_ conversation: Conversation = Conversation()) { self.conversation = conversation }

  /// The Sec-WebSocket-Key: the example, or another one for other client ports.
  public var key: String {
    let port = conversation.client.port
    if port == 50_000 { return Self.key }
    let octets = Array("the sample n".utf8) + PacketBuilder.big(port) + PacketBuilder.big(~port)
    return Data(octets).base64EncodedString()
  }

  /// The matching Sec-WebSocket-Accept (RFC 6455 §4.2.2).
  public var accept: String {
    let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    return Data(HashFunction.sha1.digest(of: text)).base64EncodedString()
  }

  /// TCP's handshake.
  public mutating func connect() { for packet in conversation.handshake() { capture(packet) } }

  /// TCP's and WebSocket's handshakes.
  public mutating func open(
    _ subprotocol: String? = "wamp.2.json", extensions: String? = nil, path: String = "/ws"
  ) {
    connect()
    request(subprotocol, extensions: extensions, path: path)
    respond(subprotocol, extensions: extensions)
  }

  public mutating func request(
    _ subprotocol: String? = "wamp.2.json", extensions: String? = nil, path: String = "/ws"
  ) {
    var head = "GET \(path) HTTP/1.1\r\nHost: router.example:8080\r\nUpgrade: websocket\r\n"
    head += "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\n"
    if let subprotocol { head += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
    if let extensions { head += "Sec-WebSocket-Extensions: \(extensions)\r\n" }
    send(.toServer, head + "\r\n")
  }

  public mutating func respond(
    _ subprotocol: String? = "wamp.2.json", extensions: String? = nil, accept: String? = "fits"
  ) {
    let accept = accept == "fits" ? self.accept : accept
    var head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    if let accept { head += "Sec-WebSocket-Accept: \(accept)\r\n" }
    if let subprotocol { head += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
    if let extensions { head += "Sec-WebSocket-Extensions: \(extensions)\r\n" }
    send(.toClient, head + "\r\n")
  }

  /// Bytes in one segment, as they are.
  public mutating func send(_ direction: Direction, _ bytes: [UInt8]) {
    capture(conversation.send(direction, bytes))
  }

  public mutating func send(_ direction: Direction, _ text: String) {
    send(direction, Array(text.utf8))
  }

  /// A text message in one frame.
  public mutating func text(_ direction: Direction, _ text: String) {
    frame(direction, opcode: 1, Array(text.utf8))
  }

  /// A text message in one frame, compressed (RFC 7692 §7.2.1).
  public mutating func compressed(_ direction: Direction, _ text: String) {
    let payload = deflaters[direction, default: Deflater()].message(Array(text.utf8))
    frame(direction, rsv: 4, opcode: 1, payload)
  }

  /// A frame in its own segment; the client's is masked by default.
  public mutating func frame(
    _ direction: Direction, fin: Bool = true, rsv: UInt8 = 0, opcode: UInt8,
    masked: Bool? = nil, _ payload: [UInt8]
  ) {
    send(
      direction,
      Self.frame(
        fin: fin, rsv: rsv, opcode: opcode, masked: masked ?? (direction == .toServer), payload,
        number: frames))
    frames += 1
  }

  /// The masking key of a frame by number; the first is the example of RFC 6455 §5.7.
  public static func mask(_ number: Int) -> [UInt8] {
    let key = UInt32(0x37FA_213D) ^ UInt32(truncatingIfNeeded: number) &* 0x9E37_79B9
    return [24, 16, 8, 0].map { UInt8(key >> $0 & 0xFF) }
  }

  /// The bytes of a frame (RFC 6455 §5.2).
  ///
  /// - Parameters:
  ///   - rsv: the sum of 4 for RSV1, 2 for RSV2, and 1 for RSV3.
  ///   - lengthOctets: the size of the extended length in bytes, if not the shortest.
  ///   - number: the frame's number, for its masking key.
  public static func frame(
    fin: Bool = true, rsv: UInt8 = 0, opcode: UInt8, masked: Bool, _ payload: [UInt8],
    lengthOctets: Int? = nil, number: Int = 0
  ) -> [UInt8] {
    let octets = lengthOctets ?? (payload.count < 126 ? 0 : payload.count < 65536 ? 2 : 8)
    var bytes = [(fin ? 0x80 : 0) | rsv << 4 | opcode, masked ? 0x80 : 0]
    bytes[1] |= octets == 0 ? UInt8(payload.count) : octets == 2 ? 126 : 127
    for place in (0..<octets).reversed() {
      bytes.append(UInt8(payload.count >> (8 * place) & 0xFF))
    }
    guard masked else { return bytes + payload }
    let mask = mask(number)
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }

  public mutating func ping(_ direction: Direction, _ text: String = "") {
    frame(direction, opcode: 9, Array(text.utf8))
  }

  public mutating func pong(_ direction: Direction, _ text: String = "") {
    frame(direction, opcode: 10, Array(text.utf8))
  }

  public mutating func close(_ direction: Direction, _ code: UInt16 = 1000, _ reason: String = "") {
    frame(direction, opcode: 8, PacketBuilder.big(code) + Array(reason.utf8))
  }

  /// CLOSE frames of both sides, the client first, and the end of the TCP connection.
  public mutating func close() {
    close(.toServer)
    close(.toClient)
    end()
  }

  /// The end of the TCP connection, the client first.
  public mutating func end() {
    capture(conversation.fin(.toServer))
    capture(conversation.fin(.toClient))
    capture(conversation.acknowledge(.toServer))
  }

  public mutating func wait(milliseconds: UInt64) { clock += milliseconds * 1_000_000 }

  /// The last packet was sent, but not captured.
  public mutating func drop() { packets.removeLast() }

  /// All packets so far were sent, but not captured.
  public mutating func dropAll() { packets.removeAll() }

  /// Only the first `count` bytes of the last packet were captured.
  public mutating func cut(_ count: Int) { cuts[packets.count - 1] = count }

  /// Sends and captures a packet.
  public mutating func capture(_ packet: [UInt8]) {
    packets.append((clock, packet))
    clock += step
  }

  /// The capture as a pcap file.
  public func pcap() -> [UInt8] {
    CaptureBuilder.pcap(
      packets: packets, linkType: UInt32(conversation.builder.linkType), cuts: cuts)
  }
}
