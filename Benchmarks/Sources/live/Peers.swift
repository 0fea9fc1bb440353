// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A client and a server with a WebSocket connection, both in this program. The server sends
/// prepared events, each with its own publication id; a thread reads them at the client's end.
struct Peers {
  private let client: Int32
  private let server: Int32
  /// Frames for one write.
  private var frames: [UInt8] = []
  /// The size of one frame, and the offset of its publication id's end.
  private var frameBytes = 0
  private var idEnd = 0
  private var publication: UInt64 = 1_000_000_000_000_000

  init(port: UInt16) {
    let listener = Self.socket(SO_REUSEADDR)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let client = Self.socket(SO_KEEPALIVE)
    let isOpen = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 1) == 0
          && connect(client, address, length) == 0
      }
    }
    if !isOpen { Live.fail("cannot connect to port \(port)") }
    self.client = client
    server = accept(listener, nil, nil)
    // Each write is one segment, as with servers that answer at once.
    var yes: Int32 = 1
    setsockopt(server, tcpLevel, TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    close(listener)
  }

  /// Performs the handshake and opens the session.
  ///
  /// - Returns: the number of messages sent.
  mutating func begin(session: UInt64) -> Int {
    // The key and accept value of RFC 6455 §1.3.
    exchange(
      client,
      """
      GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\
      Sec-WebSocket-Protocol: wamp.2.json\r\n\r\n
      """, server)
    exchange(
      server,
      """
      HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
      Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\
      Sec-WebSocket-Protocol: wamp.2.json\r\n\r\n
      """, client)
    exchange(client, #"[1,"realm1",{"roles":{"subscriber":{}}}]"#, server, isMasked: true)
    exchange(server, #"[2,\#(session),{"roles":{"broker":{}}}]"#, client, isMasked: false)
    exchange(client, #"[32,1,{},"com.chat.message"]"#, server, isMasked: true)
    exchange(server, "[33,1,5862354]", client, isMasked: false)
    var thread = Self.noThread
    let place = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    place.initialize(to: client)
    if pthread_create(&thread, nil, drainSocket, place) != 0 { Live.fail("no thread") }
    return 4
  }

  /// Sends `count` events in one write.
  mutating func send(_ count: Int) -> Int {
    if frames.isEmpty { make(count) }
    for index in 0..<count {
      publication += 1
      var (rest, at) = (publication, index * frameBytes + idEnd)
      for _ in 0..<16 {
        at -= 1
        frames[at] = 0x30 + UInt8(rest % 10)
        rest /= 10
      }
    }
    put(server, frames)
    return count
  }

  func end() { shutdown(server, Int32(SHUT_WR)) }

  private mutating func make(_ count: Int) {
    let head = "[36,5862354,"
    let text =
      head + #"\#(publication),{},[{"type":100,"user":4711,"text":"Good morning, everybody"}]]"#
    let frame = Self.frame(Array(text.utf8), isMasked: false)
    frameBytes = frame.count
    idEnd = frame.count - text.utf8.count + head.utf8.count + 16
    for _ in 0..<count { frames += frame }
  }

  /// Sends from one end, and waits until the other end has received it.
  private func exchange(
    _ sender: Int32, _ text: String, _ receiver: Int32, isMasked: Bool? = nil
  ) {
    let octets = isMasked.map { Self.frame(Array(text.utf8), isMasked: $0) } ?? Array(text.utf8)
    put(sender, octets)
    var room = [UInt8](repeating: 0, count: octets.count)
    var count = 0
    while count < octets.count {
      let more = recv(receiver, &room, octets.count - count, 0)
      if more <= 0 { Live.fail("a connection broke") }
      count += more
    }
  }

  private func put(_ socket: Int32, _ octets: [UInt8]) {
    var done = 0
    while done < octets.count {
      let count = octets.withUnsafeBytes { Glue.send(socket, $0, from: done) }
      if count <= 0 { Live.fail("a connection broke") }
      done += count
    }
  }

  /// A text frame below 64 KiB (RFC 6455 §5.2). It is masked with zeros, which saves the masking;
  /// wamptap reports that once per connection.
  private static func frame(_ payload: [UInt8], isMasked: Bool) -> [UInt8] {
    let mask: UInt8 = isMasked ? 0x80 : 0
    var frame: [UInt8] = [0x81]
    if payload.count < 126 {
      frame.append(mask | UInt8(payload.count))
    } else {
      frame += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    }
    if isMasked { frame += [0, 0, 0, 0] }
    return frame + payload
  }

  private static func socket(_ option: Int32) -> Int32 {
    let socket = Glue.socket()
    var yes: Int32 = 1
    setsockopt(socket, SOL_SOCKET, option, &yes, socklen_t(MemoryLayout<Int32>.size))
    return socket
  }

  #if canImport(Darwin)
    private static var noThread: pthread_t? { nil }
  #else
    private static var noThread: pthread_t { pthread_t() }
  #endif
}

/// Reads and discards everything.
#if canImport(Darwin)
  private func drainSocket(_ place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    drain(place.assumingMemoryBound(to: Int32.self).pointee)
    return nil
  }
#else
  private func drainSocket(_ place: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    drain(place!.assumingMemoryBound(to: Int32.self).pointee)
    return nil
  }
#endif

private func drain(_ socket: Int32) {
  var room = [UInt8](repeating: 0, count: 1 << 18)
  while recv(socket, &room, room.count, 0) > 0 {}
}

private let tcpLevel = Int32(IPPROTO_TCP)

/// Calls whose names or constants differ between systems.
private enum Glue {
  static func socket() -> Int32 {
    #if canImport(Glibc)
      Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #elseif canImport(Darwin)
      Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #else
      Musl.socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    write(socket, bytes.baseAddress! + start, bytes.count - start)
  }
}
