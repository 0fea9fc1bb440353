// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A generated capture or log: the same kind, number of messages and seed give the same bytes.
public struct Corpus: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    /// Many small messages in 100 sessions, interleaved, one frame per segment.
    case small
    /// The same in one session.
    case one
    /// Messages of 1 MB, in masked frames of 64 KB, in Ethernet-sized segments.
    case large
    /// Small messages in 20 sessions, permessage-deflate with context takeover.
    case deflated
    /// Small messages in 4 sessions, many per segment of 64 KB.
    case loopback
    /// Like `small`, with any number of messages.
    case huge
    /// Small MQTT 3.1.1 PUBLISH packets in 100 TCP connections, one per segment.
    case mqtt
    /// Small STOMP 1.2 frames in 100 sessions over WebSocket, one per segment.
    case stomp
    /// Lines of several programs in one log; every tenth contains a message.
    case log
    /// The same, 1 GB.
    case hugelog

    public var usualMessages: Int {
      switch self {
      case .small, .one, .loopback, .mqtt, .stomp: 1_000_000
      case .large: 206
      case .deflated: 200_000
      case .log: 80_000
      case .hugelog: 800_000
      case .huge: 4_500_000
      }
    }

    var sessions: Int {
      switch self {
      case .small, .huge, .mqtt, .stomp: 100
      case .deflated: 20
      case .loopback: 4
      case .one, .large: 1
      case .log, .hugelog: LogCarrier.allCases.count
      }
    }

    /// It is made only on request.
    public var isHuge: Bool { self == .huge || self == .hugelog }
    /// Uncompressed messages of WAMP, each in one segment: the skeleton reads no others.
    public var isReadBySkeleton: Bool { self == .small || self == .one || self == .huge }
    /// It is text, not a capture.
    public var isLog: Bool { self == .log || self == .hugelog }
  }

  public let kind: Kind
  /// The number of messages.
  public let messages: Int
  public let seed: UInt64

  public init(_ kind: Kind, messages: Int? = nil, seed: UInt64 = 1) {
    self.kind = kind
    self.messages = max(messages ?? kind.usualMessages, kind.sessions * 6)
    self.seed = seed
  }

  public var fileName: String {
    "\(kind.rawValue)-\(messages)-\(seed).\(kind.isLog ? "log" : "pcap")"
  }

  /// Writes it; the file gets its final name when it is complete.
  public func write(to path: String) throws {
    let partial = path + ".part"
    if kind.isLog {
      var log = try LogWriter(path: partial, seed: seed)
      for _ in 0..<messages { log.next() }
      try log.finish()
    } else {
      var pcap = try PcapWriter(path: partial)
      fill(&pcap)
      try pcap.finish()
    }
    if rename(partial, path) != 0 { throw OutputFile.Failure(path: path) }
  }

  private func fill(_ pcap: inout PcapWriter) {
    var random = Random(seed: seed)
    if kind == .mqtt { return fillPublications(&pcap, &random) }
    var router = Talk.Router(&random)
    if kind == .stomp { return fillFrames(&pcap, words: router.words, &random) }
    var talks: [Talk] = []
    var connections: [Connection] = []
    for number in 0..<kind.sessions {
      talks.append(Talk(number: number, serves: kind != .loopback, &random))
      connections.append(
        Connection(
          number: number, segmentBytes: kind == .loopback ? 65_483 : 1448,
          gathers: kind == .loopback, deflates: kind == .deflated, &random))
    }
    var text: [UInt8] = []
    for message in 0..<messages {
      let isBeginning = message < kind.sessions * 6
      let session = isBeginning ? message / 6 : random.below(kind.sessions)
      if isBeginning && message % 6 == 0 { connections[session].open(&pcap) }
      var isUp = true
      if kind == .large && !isBeginning {
        talks[session].bulk(into: &text, bytes: 1_000_000, router, &random)
      } else {
        isUp = talks[session].next(into: &text, &router, &random)
      }
      connections[session].send(isUp: isUp, text, frameBytes: 65_536, &random, &pcap)
    }
    for session in connections.indices { connections[session].close(&random, &pcap) }
  }

  /// CONNECT and CONNACK of each connection, then sensor readings.
  private func fillPublications(_ pcap: inout PcapWriter, _ random: inout Random) {
    var connections: [Connection] = []
    for number in 0..<kind.sessions {
      var connection = Connection(
        number: number, segmentBytes: 1448, gathers: false, deflates: false, port: 1883, &random)
      connection.connect(&pcap)
      connection.sendBare(
        isUp: true, [0x10, 13, 0, 4, 0x4D, 0x51, 0x54, 0x54, 4, 2, 0, 60, 0, 1, 0x63], &pcap)
      connection.sendBare(isUp: false, [0x20, 2, 0, 0], &pcap)
      connections.append(connection)
    }
    for _ in 0..<messages {
      let topic = Array("plant/\(random.below(10))/sensor/\(random.below(100))/temp".utf8)
      let payload = Array("{\"t\":\(random.below(90)).\(random.below(10))}".utf8)
      let head = [0x30, UInt8(2 + topic.count + payload.count), 0, UInt8(topic.count)]
      connections[random.below(connections.count)].sendBare(
        isUp: true, head + topic + payload, &pcap)
    }
  }

  /// CONNECT, CONNECTED and SUBSCRIBE of each session, then SEND, RECEIPT and MESSAGE.
  private func fillFrames(_ pcap: inout PcapWriter, words: [UInt8], _ random: inout Random) {
    var talks = (0..<kind.sessions).map { StompTalk(number: $0) }
    var connections = talks.indices.map { number in
      Connection(
        number: number, segmentBytes: 1448, gathers: false, deflates: false,
        subprotocol: "v12.stomp", &random)
    }
    var text: [UInt8] = []
    for message in 0..<messages {
      let isBeginning = message < kind.sessions * 3
      let session = isBeginning ? message / 3 : random.below(kind.sessions)
      if isBeginning && message % 3 == 0 { connections[session].open(&pcap) }
      let isUp = talks[session].next(into: &text, words: words, &random)
      connections[session].send(isUp: isUp, text, frameBytes: 65_536, &random, &pcap)
    }
    for session in connections.indices { connections[session].close(&random, &pcap) }
  }
}
