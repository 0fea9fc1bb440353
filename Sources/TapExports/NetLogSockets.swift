// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// The sockets of a NetLog, each one stream of bytes: those inside TLS where there is TLS.
struct NetLogSockets {
  /// By the id of their source.
  private var sockets: [Int64: NetLogSocket] = [:]
  private var flows: UInt32 = 0
  /// Frames of WebSocket whose headers are in the log, and where the first is.
  private var frames: UInt64 = 0
  private var firstFrame = Origin()
  /// Events that have the bytes they are about.
  private var withBytes: UInt64 = 0

  mutating func take(
    _ kind: NetLogEvent.Kind, _ phase: NetLogEvent.Phase, _ source: Int64,
    _ event: borrowing NetLogEvent, _ origin: Origin, _ limits: Limits, _ sink: any EvidenceSink
  ) {
    switch kind {
    case .frameSent, .frameReceived:
      if frames == 0 { firstFrame = origin }
      frames += 1
    case .alive where phase == .end: end(source, origin, sink)
    case .alive: if phase == .begin { with(source, origin, limits, sink) { $0.isFromStart = true } }
    case .connect:
      let (local, remote) = (event.localAddress, event.remoteAddress)
      with(source, origin, limits, sink) { socket in
        (socket.isFromStart, socket.isConnected) = (true, true)
        if local.isEmpty { return }
        socket.local = Endpoint(String(decoding: local, as: Unicode.UTF8.self)) ?? .unknown
        socket.remote = Endpoint(String(decoding: remote, as: Unicode.UTF8.self)) ?? .unknown
      }
    case .secureConnect:
      if phase == .begin {
        secure(source, origin, limits, sink)
      } else {
        sockets[source]?.secured(event)
      }
    case .secureSent, .secureReceived:
      secure(source, origin, limits, sink)
      pass(source, event, isSent: kind == .secureSent, origin, limits, sink)
    case .socketSent, .socketReceived:
      with(source, origin, limits, sink) { _ in }
      if sockets[source]!.isSecure { return }
      // The log began when the handshake was over: it is TLS by its records (RFC 8446 §5.1).
      if sockets[source]!.flow == 0 && Self.isRecord(event.bytes.bytes) {
        return secure(source, origin, limits, sink)
      }
      pass(source, event, isSent: kind == .socketSent, origin, limits, sink)
    }
  }

  private mutating func with(
    _ source: Int64, _ origin: Origin, _ limits: Limits, _ sink: any EvidenceSink,
    _ change: (inout NetLogSocket) -> Void
  ) {
    if sockets[source] == nil {
      if sockets.count >= limits.connections { evict(origin, limits, sink) }
      sockets[source] = NetLogSocket()
    }
    change(&sockets[source]!)
  }

  /// There are too many: the oldest go, an eighth at once.
  private mutating func evict(_ origin: Origin, _ limits: Limits, _ sink: any EvidenceSink) {
    let oldest = sockets.keys.sorted().prefix(max(1, sockets.count / 8))
    for source in oldest { end(source, origin, isUnfinished: true, sink) }
    sink.finding(.evicted(oldest.count, limits, origin))
  }

  /// From here on it is what is inside TLS that counts. What came before led to it: a tunnel.
  private mutating func secure(
    _ source: Int64, _ origin: Origin, _ limits: Limits, _ sink: any EvidenceSink
  ) {
    with(source, origin, limits, sink) { _ in }
    if sockets[source]!.isSecure { return }
    sockets[source]!.isSecure = true
    if sockets[source]!.flow == 0 { return }
    close(source, origin, sink)
    sockets[source]!.begin(0)
  }

  private mutating func pass(
    _ source: Int64, _ event: borrowing NetLogEvent, isSent: Bool, _ origin: Origin,
    _ limits: Limits, _ sink: any EvidenceSink
  ) {
    // Of a log without bytes, nothing is said to be missing.
    guard event.hasBytes || sockets[source]!.flow > 0 else { return }
    if event.hasBytes { withBytes += 1 }
    var origin = origin
    if sockets[source]!.flow == 0 {
      flows += 1
      sockets[source]!.begin(flows)
      // The log began behind the connect, and before anything was asked.
      if isSent && Self.isRequest(event.bytes.bytes) {
        (sockets[source]!.isFromStart, sockets[source]!.isConnected) = (true, true)
      }
      // A client speaks first: a socket that receives first, and has not connected, is that of a
      // server.
      let socket = sockets[source]!
      sockets[source]!.isReversed = socket.isFromStart && !socket.isConnected && !isSent
      origin.flow = flows
      sink.opened(sockets[source]!.opening, Delivery(origin))
    }
    origin.flow = sockets[source]!.flow
    origin.direction = sockets[source]!.direction(isSent: isSent)
    let count = event.bytes.count
    origin.offset = sockets[source]!.pass(count, isSent: isSent)
    // One write, or what was there to read.
    if count > 0 { sink.stream(event.bytes.bytes, Delivery(origin, edges: [.start, .end])) }
    // Bytes that the event speaks of and does not have.
    let claimed = event.byteCount ?? (event.isDamaged ? .max : 0)
    if claimed <= Int64(count) { return }
    guard claimed <= Int64(limits.messageBytes) else {
      return sink.gap(nil, Delivery(origin))
    }
    let missing = Int(claimed) - count
    origin.offset = sockets[source]!.pass(missing, isSent: isSent)
    sink.gap(missing, Delivery(origin))
  }

  private func close(
    _ source: Int64, _ origin: Origin, isUnfinished: Bool = false, _ sink: any EvidenceSink
  ) {
    var origin = origin
    origin.flow = sockets[source]!.flow
    sink.closed(Closing(isUnfinished: isUnfinished), Delivery(origin))
  }

  private mutating func end(
    _ source: Int64, _ origin: Origin, isUnfinished: Bool = false, _ sink: any EvidenceSink
  ) {
    if let socket = sockets[source], socket.flow > 0 {
      close(source, origin, isUnfinished: isUnfinished, sink)
    }
    sockets[source] = nil
  }

  /// Whether bytes begin as a record of TLS does.
  private static func isRecord(_ bytes: RawSpan) -> Bool {
    bytes.byteCount >= 5 && (0x14...0x17).contains(bytes.byte(at: 0)) && bytes.byte(at: 1) == 3
      && bytes.byte(at: 2) <= 4
  }

  /// Whether bytes begin as a request of HTTP/1.1 for WebSocket does, or as HTTP/2.
  private static func isRequest(_ bytes: RawSpan) -> Bool {
    bytes.starts(with: "GET ") || bytes.starts(with: "PRI * HTTP/2.0\r\n")
  }

  func finish(_ sink: any EvidenceSink) {
    if frames == 0 || withBytes > 0 { return }
    sink.finding(
      Finding(
        .netlogNoBytes, .warning, firstFrame,
        "the NetLog was taken without bytes: of \(counted(frames, "WebSocket frame")) it has the"
          + " header, and of none what it says. Start Chromium with --log-net-log=FILE"
          + " --net-log-capture-mode=Everything"
      ).cutting)
  }
}

extension Finding.Code {
  static let netlogNoBytes: Finding.Code = "netlog.no-bytes"
}
