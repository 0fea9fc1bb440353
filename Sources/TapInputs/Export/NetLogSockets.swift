// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The sockets of a NetLog, each one stream of bytes: those inside TLS where there is TLS.
struct NetLogSockets {
  /// By the id of their source.
  private var sockets: [Int64: NetLogSocket] = [:]
  private var flows: UInt32 = 0
  /// Frames of WebSocket whose headers are in the log, and where the first is.
  private var frames: UInt64 = 0
  private var firstFrame = Origin()
  /// Events that have the octets they are about.
  private var withBytes: UInt64 = 0

  mutating func take(
    _ kind: NetLogEvent.Kind, _ phase: NetLogEvent.Phase, _ source: Int64,
    _ event: borrowing NetLogEvent, _ origin: Origin, _ limits: Limits, _ floor: any Floor
  ) {
    switch kind {
    case .frameSent, .frameReceived:
      if frames == 0 { firstFrame = origin }
      frames += 1
    case .alive where phase == .end: end(source, origin, floor)
    case .alive: if phase == .begin { with(source, limits, floor) { $0.isFromStart = true } }
    case .connect:
      let (local, remote) = (event.localAddress, event.remoteAddress)
      with(source, limits, floor) { socket in
        (socket.isFromStart, socket.isConnected) = (true, true)
        if local.isEmpty { return }
        socket.local = AddressText.endpoint(String(decoding: local, as: UTF8Text.self))
        socket.remote = AddressText.endpoint(String(decoding: remote, as: UTF8Text.self))
      }
    case .secureConnect:
      if phase == .begin {
        secure(source, origin, limits, floor)
      } else {
        sockets[source]?.secured(event)
      }
    case .secureSent, .secureReceived:
      secure(source, origin, limits, floor)
      pass(source, event, isSent: kind == .secureSent, origin, limits, floor)
    case .socketSent, .socketReceived:
      with(source, limits, floor) { _ in }
      if sockets[source]!.isSecure { return }
      // The log began when the handshake was over: it is TLS by its records (RFC 8446 §5.1).
      if sockets[source]!.flow == 0 && Self.isRecord(event.bytes.bytes) {
        return secure(source, origin, limits, floor)
      }
      pass(source, event, isSent: kind == .socketSent, origin, limits, floor)
    }
  }

  private mutating func with(
    _ source: Int64, _ limits: Limits, _ floor: any Floor, _ change: (inout NetLogSocket) -> Void
  ) {
    if sockets[source] == nil {
      if sockets.count >= limits.connections { evict(floor) }
      sockets[source] = NetLogSocket()
    }
    change(&sockets[source]!)
  }

  /// There are too many: the oldest go, an eighth at once.
  private mutating func evict(_ floor: any Floor) {
    for source in sockets.keys.sorted().prefix(max(1, sockets.count / 8)) {
      end(source, Origin(input: firstFrame.input), floor)
    }
  }

  /// From here on it is what is inside TLS that counts. What came before led to it: a tunnel.
  private mutating func secure(
    _ source: Int64, _ origin: Origin, _ limits: Limits, _ floor: any Floor
  ) {
    with(source, limits, floor) { _ in }
    if sockets[source]!.isSecure { return }
    sockets[source]!.isSecure = true
    if sockets[source]!.flow == 0 { return }
    close(source, origin, floor)
    sockets[source]!.begin(0)
  }

  private mutating func pass(
    _ source: Int64, _ event: borrowing NetLogEvent, isSent: Bool, _ origin: Origin,
    _ limits: Limits, _ floor: any Floor
  ) {
    guard event.hasBytes else { return }
    withBytes += 1
    var origin = origin
    if sockets[source]!.flow == 0 {
      flows += 1
      sockets[source]!.begin(flows)
      // The log began behind the connect, and before anything was asked.
      if isSent && Self.isRequest(event.bytes.bytes) {
        (sockets[source]!.isFromStart, sockets[source]!.isConnected) = (true, true)
      }
      // A client speaks first; one that waits was connected to.
      let socket = sockets[source]!
      sockets[source]!.isReversed = socket.isFromStart && !socket.isConnected && !isSent
      origin.flow = flows
      floor.opened(sockets[source]!.opening, Delivery(origin))
    }
    origin.flow = sockets[source]!.flow
    origin.direction = sockets[source]!.direction(isSent: isSent)
    let count = event.bytes.count
    origin.offset = sockets[source]!.pass(count, isSent: isSent)
    // One write, or what was there to read.
    if count > 0 { floor.stream(event.bytes.bytes, Delivery(origin, edges: [.start, .end])) }
    // Octets that the event speaks of and does not have.
    let claimed = event.byteCount ?? 0
    if claimed <= Int64(count) { return }
    guard claimed <= Int64(limits.messageBytes) else {
      return floor.gap(nil, Delivery(origin))
    }
    let missing = Int(claimed) - count
    origin.offset = sockets[source]!.pass(missing, isSent: isSent)
    floor.gap(missing, Delivery(origin))
  }

  private func close(_ source: Int64, _ origin: Origin, _ floor: any Floor) {
    var origin = origin
    origin.flow = sockets[source]!.flow
    floor.closed(Closing(), Delivery(origin))
  }

  private mutating func end(_ source: Int64, _ origin: Origin, _ floor: any Floor) {
    if let socket = sockets[source], socket.flow > 0 { close(source, origin, floor) }
    sockets[source] = nil
  }

  /// Whether octets begin as a record of TLS does.
  private static func isRecord(_ bytes: RawSpan) -> Bool {
    bytes.byteCount >= 5 && (0x14...0x17).contains(bytes.byte(at: 0)) && bytes.byte(at: 1) == 3
      && bytes.byte(at: 2) <= 4
  }

  /// Whether octets begin as a request of HTTP/1.1 for WebSocket does, or as HTTP/2.
  private static func isRequest(_ bytes: RawSpan) -> Bool {
    bytes.starts(with: "GET ") || bytes.starts(with: "PRI * HTTP/2.0\r\n")
  }

  func finish(_ place: Place, _ floor: any Floor) {
    if frames == 0 || withBytes > 0 { return }
    floor.finding(
      Finding(
        .netlogNoBytes, .warning, firstFrame,
        "the NetLog was taken without bytes: of \(counted(frames, "WebSocket frame")) it has the"
          + " header, and of none what it says. Start Chromium with --log-net-log=FILE"
          + " --net-log-capture-mode=Everything"))
  }
}

extension Finding.Code {
  /// A NetLog that has events of frames, but not their octets. Likely cause: it was taken without
  /// raw bytes, which is the default.
  static let netlogNoBytes: Finding.Code = "netlog.no-bytes"
}
