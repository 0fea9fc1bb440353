// SPDX-License-Identifier: Apache-2.0

/// A TCP connection that carries WebSocket, with correct sequence numbers; acknowledgements are
/// sent with data if there is some, otherwise alone.
struct Connection {
  /// The largest segment in bytes.
  private let segmentBytes: Int
  /// Fills segments with several frames; otherwise each write is its own segment.
  private let gathers: Bool
  /// The subprotocol in the upgrade.
  private let subprotocol: String
  private let client: PcapWriter.End
  private let server: PcapWriter.End
  private var clientNext: UInt32
  private var serverNext: UInt32
  /// Unacknowledged segments, by sender.
  private var clientUnanswered = 0
  private var serverUnanswered = 0
  private var clientWaiting: [UInt8] = []
  private var serverWaiting: [UInt8] = []
  private var toServer: Deflater?
  private var toClient: Deflater?

  init(
    number: Int, segmentBytes: Int, gathers: Bool, deflates: Bool, port: UInt16 = 8080,
    subprotocol: String = "wamp.2.json", _ random: inout Random
  ) {
    server = PcapWriter.End(address: 0x0A00_0001, port: port)
    (self.segmentBytes, self.gathers, self.subprotocol) = (segmentBytes, gathers, subprotocol)
    client = PcapWriter.End(
      address: 0x0A01_0000 + UInt32(number % 60_000) + 2, port: UInt16(49_152 + number % 16_000))
    clientNext = UInt32(truncatingIfNeeded: random.next())
    serverNext = UInt32(truncatingIfNeeded: random.next())
    if deflates { (toServer, toClient) = (Deflater(), Deflater()) }
  }

  private var isCompressed: Bool { toServer != nil }

  /// The TCP handshake and the upgrade (RFC 6455 §1.3, with its example key).
  mutating func open(_ pcap: inout PcapWriter) {
    connect(&pcap)
    let extensions = isCompressed ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : ""
    let request = """
      GET /ws HTTP/1.1\r\nHost: router.example:8080\r\nUpgrade: websocket\r
      Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: \(subprotocol)\r\n\(extensions)\r\n
      """
    let response = """
      HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r
      Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
      Sec-WebSocket-Protocol: \(subprotocol)\r\n\(extensions)\r\n
      """
    write(isUp: true, Array(request.utf8), &pcap)
    flush(&pcap)
    write(isUp: false, Array(response.utf8), &pcap)
    flush(&pcap)
  }

  /// The TCP handshake.
  mutating func connect(_ pcap: inout PcapWriter) {
    packet(isUp: true, PcapWriter.Flags.syn, [], &pcap)
    clientNext &+= 1
    packet(isUp: false, PcapWriter.Flags.syn | PcapWriter.Flags.ack, [], &pcap)
    serverNext &+= 1
    packet(isUp: true, PcapWriter.Flags.ack, [], &pcap)
  }

  /// Bytes without WebSocket.
  mutating func sendBare(isUp: Bool, _ bytes: [UInt8], _ pcap: inout PcapWriter) {
    write(isUp: isUp, bytes, &pcap)
    flush(&pcap)
  }

  /// One text message, in frames of at most `frameBytes`.
  mutating func send(
    isUp: Bool, _ message: [UInt8], frameBytes: Int, _ random: inout Random,
    _ pcap: inout PcapWriter
  ) {
    var frames: [UInt8] = []
    frames.reserveCapacity(message.count + 16 + message.count / frameBytes * 14)
    if let deflater = isUp ? toServer : toClient {
      Frames.append(0xC1, deflater.deflate(message)[...], mask: mask(isUp, &random), to: &frames)
    } else {
      var start = 0
      repeat {
        let end = min(start + frameBytes, message.count)
        let first: UInt8 = (end == message.count ? 0x80 : 0) | (start == 0 ? 1 : 0)
        Frames.append(first, message[start..<end], mask: mask(isUp, &random), to: &frames)
        start = end
      } while start < message.count
    }
    write(isUp: isUp, frames, &pcap)
  }

  /// Both CLOSE frames and both FINs.
  mutating func close(_ random: inout Random, _ pcap: inout PcapWriter) {
    flush(&pcap)
    for isUp in [true, false] {
      var frame: [UInt8] = []
      Frames.append(0x88, [0x03, 0xE8], mask: mask(isUp, &random), to: &frame)
      write(isUp: isUp, frame, &pcap)
      flush(&pcap)
    }
    let fin = PcapWriter.Flags.fin | PcapWriter.Flags.ack
    packet(isUp: false, fin, [], &pcap)
    serverNext &+= 1
    packet(isUp: true, fin, [], &pcap)
    clientNext &+= 1
    packet(isUp: false, PcapWriter.Flags.ack, [], &pcap)
  }

  private func mask(_ isUp: Bool, _ random: inout Random) -> UInt32? {
    isUp ? UInt32(truncatingIfNeeded: random.next()) : nil
  }

  private mutating func write(isUp: Bool, _ bytes: [UInt8], _ pcap: inout PcapWriter) {
    if !gathers { return segments(isUp: isUp, bytes, &pcap) }
    if isUp { clientWaiting += bytes } else { serverWaiting += bytes }
    if max(clientWaiting.count, serverWaiting.count) >= segmentBytes { flush(&pcap) }
  }

  /// Requests first, so that no answer precedes its request.
  private mutating func flush(_ pcap: inout PcapWriter) {
    segments(isUp: true, clientWaiting, &pcap)
    clientWaiting.removeAll(keepingCapacity: true)
    segments(isUp: false, serverWaiting, &pcap)
    serverWaiting.removeAll(keepingCapacity: true)
  }

  private mutating func segments(isUp: Bool, _ bytes: [UInt8], _ pcap: inout PcapWriter) {
    var start = 0
    while start < bytes.count {
      let end = min(start + segmentBytes, bytes.count)
      let isLast = end == bytes.count
      let flags = PcapWriter.Flags.ack | (isLast ? PcapWriter.Flags.push : 0)
      packet(isUp: isUp, flags, bytes[start..<end], &pcap)
      if isUp {
        clientNext &+= UInt32(end - start)
        (clientUnanswered, serverUnanswered) = (clientUnanswered + 1, 0)
      } else {
        serverNext &+= UInt32(end - start)
        (serverUnanswered, clientUnanswered) = (serverUnanswered + 1, 0)
      }
      // RFC 9293 §3.8.6.3: at least every second segment is acknowledged.
      if (isUp ? clientUnanswered : serverUnanswered) >= 2 {
        packet(isUp: !isUp, PcapWriter.Flags.ack, [], &pcap)
        if isUp { clientUnanswered = 0 } else { serverUnanswered = 0 }
      }
      start = end
    }
  }

  private func packet(
    isUp: Bool, _ flags: UInt8, _ payload: ArraySlice<UInt8>, _ pcap: inout PcapWriter
  ) {
    let acknowledgement = isUp ? serverNext : clientNext
    pcap.wait(microseconds: 3)
    pcap.packet(
      from: isUp ? client : server, to: isUp ? server : client,
      sequence: isUp ? clientNext : serverNext,
      acknowledgement: flags & PcapWriter.Flags.ack == 0 ? 0 : acknowledgement, flags: flags,
      payload)
  }
}
