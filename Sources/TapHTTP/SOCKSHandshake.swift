// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The handshake between a client and a SOCKS proxy before the actual stream: version 4 with its
/// extension 4a, and version 5 (RFC 1928) with user name and password (RFC 1929). Its content is
/// not read.
public enum SOCKSHandshake {
  public enum Answer: Equatable {
    /// It is not SOCKS, or not a request that leads to a stream.
    case none
    case needsMore
    /// The proxy has connected the client; `client` and `proxy` are the lengths of their
    /// handshakes.
    case connected(client: Int, proxy: Int)
  }

  private static let connect: UInt8 = 1

  /// Recognises a handshake in everything that each side has sent so far.
  public static func recognise(client: RawSpan, proxy: RawSpan) -> Answer {
    if client.byteCount == 0 { return proxy.byteCount == 0 ? .needsMore : .none }
    switch client.byte(at: 0) {
    case 4: return version4(client, proxy)
    case 5: return version5(client, proxy)
    default: return .none
    }
  }

  /// SOCKS 4: command, port, address, user name and NUL; in 4a also a host name and NUL, if the
  /// address is 0.0.0.x. The proxy answers with 8 bytes.
  private static func version4(_ client: RawSpan, _ proxy: RawSpan) -> Answer {
    if client.byteCount > 1 && client.byte(at: 1) != connect { return .none }
    if client.byteCount < 9 { return proxy.byteCount == 0 ? .needsMore : .none }
    if client.uint16(at: 2) == 0 { return .none }
    guard var end = client.firstIndex(of: 0, from: 8) else { return more(client, proxy) }
    let isNamed = client.uint32(at: 4) >> 8 == 0 && client.byte(at: 7) != 0
    if isNamed {
      guard let second = client.firstIndex(of: 0, from: end + 1) else {
        return more(client, proxy)
      }
      end = second
    }
    // A client waits for the reply before it sends more.
    if proxy.byteCount == 0 { return client.byteCount == end + 1 ? .needsMore : .none }
    if proxy.byte(at: 0) != 0 { return .none }
    if proxy.byteCount > 1 && proxy.byte(at: 1) != UInt8(ascii: "Z") { return .none }
    return proxy.byteCount < 8 ? .needsMore : .connected(client: end + 1, proxy: 8)
  }

  /// User and host names have at most 255 bytes.
  private static func more(_ client: RawSpan, _ proxy: RawSpan) -> Answer {
    client.byteCount < 600 && proxy.byteCount == 0 ? .needsMore : .none
  }

  /// SOCKS 5: methods and the choice, user name and password if chosen, request and reply. Other
  /// authentication methods encapsulate the stream (RFC 1961), so they are not followed.
  private static func version5(_ client: RawSpan, _ proxy: RawSpan) -> Answer {
    if client.byteCount < 2 { return proxy.byteCount == 0 ? .needsMore : .none }
    var asked = 2 + Int(client.byte(at: 1))
    if asked == 2 { return .none }
    if proxy.byteCount == 0 {
      // The proxy has to choose a method first.
      if client.byteCount > asked { return .none }
      return .needsMore
    }
    if client.byteCount < asked || proxy.byte(at: 0) != 5 { return .none }
    if proxy.byteCount < 2 { return .needsMore }
    let method = proxy.byte(at: 1)
    guard method == 0 || method == 2,
      client.extracting(2..<asked).firstIndex(of: method) != nil
    else { return .none }
    var answered = 2
    if method == 2 {
      guard let password = credentials(client, from: asked) else { return .needsMore }
      asked = password
      answered = 4
      if proxy.byteCount < answered { return .needsMore }
      if proxy.byte(at: 2) != 1 || proxy.byte(at: 3) != 0 { return .none }
    }
    switch (message(client, from: asked), message(proxy, from: answered)) {
    case (0, _), (_, 0): return .none
    case (let request?, let reply?):
      let isConnected = client.byte(at: asked + 1) == connect && proxy.byte(at: answered + 1) == 0
      return isConnected ? .connected(client: asked + request, proxy: answered + reply) : .none
    default: return .needsMore
    }
  }

  /// Offset after user name and password (RFC 1929 §2).
  private static func credentials(_ client: RawSpan, from start: Int) -> Int? {
    guard client.byteCount > start + 1 else { return nil }
    let length = start + 2 + Int(client.byte(at: start + 1))
    guard client.byteCount > length else { return nil }
    let end = length + 1 + Int(client.byte(at: length))
    return client.byteCount < end ? nil : end
  }

  /// The length of a request or a reply (RFC 1928 §4, §6): 0 if it is not one, nil while it is
  /// incomplete.
  private static func message(_ bytes: RawSpan, from start: Int) -> Int? {
    let part = bytes.dropping(min(start, bytes.byteCount))
    if part.byteCount > 0 && part.byte(at: 0) != 5 { return 0 }
    if part.byteCount < 5 { return nil }
    let length: Int
    switch part.byte(at: 3) {
    case 1: length = 10
    case 3: length = 7 + Int(part.byte(at: 4))
    case 4: length = 22
    default: return 0
    }
    return part.byteCount < length ? nil : length
  }
}
