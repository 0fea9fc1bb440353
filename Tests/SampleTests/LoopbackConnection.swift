// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapTesting
import TapTraffic

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Two sockets of this process that speak over the loopback interface, for something else to see.
struct LoopbackConnection {
  let port: UInt16
  private let client: Int32
  private let listener: Int32
  private let address: sockaddr_in

  struct Broken: Error {}

  init() throws {
    let listener = Self.socket()
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let client = Self.socket()
    // Port 0 is any that is free; it is asked for before anybody connects.
    let isThere = withUnsafeMutablePointer(to: &address) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        bind(listener, raw, length) == 0 && listen(listener, 1) == 0
          && getsockname(listener, raw, &length) == 0
      }
    }
    guard isThere else { throw Broken() }
    self.port = UInt16(bigEndian: address.sin_port)
    (self.client, self.listener, self.address) = (client, listener, address)
  }

  /// Connects, says everything, one after the other, and closes.
  ///
  /// - Parameters:
  ///   - parts: who sends what.
  ///   - pause: microseconds between two of them, for a machine that has other things to do.
  func speak(_ parts: [(direction: Direction, octets: [UInt8])], pause: UInt32 = 0) throws {
    var address = address
    let isOpen = withUnsafePointer(to: &address) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    let server = accept(listener, nil, nil)
    guard isOpen && server >= 0 else { throw Broken() }
    for part in parts {
      let (from, to) = part.direction == .toServer ? (client, server) : (server, client)
      guard write(from, part.octets, part.octets.count) == part.octets.count else {
        throw Broken()
      }
      if pause > 0 { usleep(pause) }
      // Nobody speaks before the other was heard.
      var room = [UInt8](repeating: 0, count: part.octets.count)
      var count = 0
      while count < room.count {
        let more = read(to, &room, room.count - count)
        if more <= 0 { throw Broken() }
        count += more
      }
    }
    for socket in [client, server, listener] { close(socket) }
  }

  private static func socket() -> Int32 {
    #if canImport(Darwin)
      Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #else
      Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
  }
}
