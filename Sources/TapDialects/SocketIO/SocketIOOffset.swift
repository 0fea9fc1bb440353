// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The offset that a server which can recover sessions puts behind the arguments of an event. It
/// has the time at which the event was sent, whatever adapter of Socket.IO wrote it. A volatile
/// event has no offset, and its last argument is hardly ever such a time.
enum SocketIOOffset {
  /// How much the clocks of the server and of the capture may differ, and how long an event may
  /// have waited for its client to come back; milliseconds.
  private static let mostDistance: Int64 = 86_400_000
  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_".utf8)

  /// - Parameter time: when the event was captured.
  static func isOffset(_ text: RawSpan, at time: Instant) -> Bool {
    let stored = ofStream(text) ?? ofDocument(text)
    // Any word of seven letters is a number in base 64: only the time tells them apart.
    guard time.isKnown else { return stored != nil }
    guard let sent = stored ?? ofMemory(text) else { return false }
    return abs(sent - time.nanoseconds / 1_000_000) <= mostDistance
  }

  /// `OlFvMW0`, `OlFvMW0.1` (socket.io-adapter): milliseconds in base 64, and a number that tells
  /// apart those of the same millisecond (yeast).
  private static func ofMemory(_ text: RawSpan) -> Int64? {
    let end = text.firstIndex(of: .period) ?? text.byteCount
    guard end == 7, end == text.byteCount || end + 1 < text.byteCount else { return nil }
    var value: Int64 = 0
    for at in 0..<text.byteCount where at != end {
      guard let digit = digits.firstIndex(of: text.byte(at: at)) else { return nil }
      if at < end { value = value << 6 | Int64(digit) }
    }
    return value
  }

  /// `1700000000000-0` (streams of Redis): milliseconds, and a number.
  private static func ofStream(_ text: RawSpan) -> Int64? {
    guard text.byteCount > 14, text.byte(at: 13) == .hyphen,
      (14..<text.byteCount).allSatisfy({ text.byte(at: $0).isDigit })
    else { return nil }
    return number(text.extracting(0..<13), radix: 10)
  }

  /// `6553f100a1b2c3d4e5f60718` (documents of MongoDB): its first four bytes are seconds.
  private static func ofDocument(_ text: RawSpan) -> Int64? {
    guard text.byteCount == 24, number(text.extracting(8..<16), radix: 16) != nil,
      number(text.extracting(16..<24), radix: 16) != nil
    else { return nil }
    return number(text.extracting(0..<8), radix: 16).map { $0 * 1000 }
  }

  private static func number(_ text: RawSpan, radix: Int) -> Int64? {
    guard (0..<text.byteCount).allSatisfy({ text.byte(at: $0).isWord }) else { return nil }
    return Int64(String(decoding: text.copied(), as: Unicode.UTF8.self), radix: radix)
  }
}
