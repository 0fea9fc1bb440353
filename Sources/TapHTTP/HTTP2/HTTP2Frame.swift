// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The header of an HTTP/2 frame (RFC 9113 §4.1):
///
///     +-----------------------------------------------+
///     |                 Length (24)                   |
///     +---------------+---------------+---------------+
///     |   Type (8)    |   Flags (8)   |
///     +-+-------------+---------------+-------------------------------+
///     |R|                 Stream Identifier (31)                      |
///     +=+=============================================================+
///     |                   Frame Payload …
///     +---------------------------------------------------------------+
struct HTTP2Frame: Equatable {
  static let headerSize = 9

  enum Kind {
    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let priority: UInt8 = 2
    static let reset: UInt8 = 3
    static let settings: UInt8 = 4
    static let pushPromise: UInt8 = 5
    static let ping: UInt8 = 6
    static let goAway: UInt8 = 7
    static let windowUpdate: UInt8 = 8
    static let continuation: UInt8 = 9
  }

  enum Flag {
    static let endStream: UInt8 = 0x01
    /// In SETTINGS and PING.
    static let ack: UInt8 = 0x01
    static let endHeaders: UInt8 = 0x04
    static let padded: UInt8 = 0x08
    static let priority: UInt8 = 0x20
  }

  var length: Int
  var type: UInt8
  var flags: UInt8
  var stream: UInt32
  /// The reserved bit is set; it must be 0.
  var isReserved: Bool

  /// Nil when there are fewer than nine bytes.
  static func parse(_ bytes: RawSpan, at offset: Int) -> HTTP2Frame? {
    guard bytes.byteCount &- offset >= headerSize else { return nil }
    let word = bytes.uint32(at: offset)
    let stream = bytes.uint32(at: offset &+ 5)
    return HTTP2Frame(
      length: Int(word >> 8), type: UInt8(truncatingIfNeeded: word),
      flags: bytes.byte(at: offset &+ 4),
      stream: stream & 0x7FFF_FFFF, isReserved: stream >> 31 != 0)
  }

  func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

  /// Whether its length and stream are allowed for its type (RFC 9113 §6).
  var isRegular: Bool {
    switch type {
    case Kind.data, Kind.headers, Kind.continuation: stream != 0
    case Kind.pushPromise: stream != 0 && length >= 4
    case Kind.priority: stream != 0 && length == 5
    case Kind.reset: stream != 0 && length == 4
    case Kind.settings: stream == 0 && length % 6 == 0 && (!has(Flag.ack) || length == 0)
    case Kind.ping: stream == 0 && length == 8
    case Kind.goAway: stream == 0 && length >= 8
    case Kind.windowUpdate: length == 4
    // RFC 9113 §4.1: frames of unknown types must be ignored.
    default: true
    }
  }

  /// Whether it may be a frame where boundaries are not known: its type and flags are defined, its
  /// length is not larger than anybody allows, and its stream can exist.
  func isPlausible(upTo highest: UInt32) -> Bool {
    type <= Kind.continuation && !isReserved && flags & ~0x2D == 0 && isRegular
      && stream <= highest && length <= 1 << 20
  }

  /// The highest stream number assumed possible where none is known.
  static let highestStream: UInt32 = 1 << 24

  /// Whether it is more than chance: an empty frame of most types is nine bytes that are nearly all
  /// zero.
  ///
  /// - Parameter isNew: the connection was joined midway, so that SETTINGS may come.
  func saysSomething(isNew: Bool) -> Bool { length > 0 || isNew && type == Kind.settings }

  /// Whether a segment or TLS record from the middle of an unknown protocol begins with HTTP/2
  /// frames. These must be too regular for chance; the last may continue in what follows.
  static func isBeginning(_ bytes: RawSpan) -> Bool {
    var at = 0
    var count = 0
    while at < bytes.byteCount {
      guard let frame = parse(bytes, at: at) else { break }
      // Only servers that push open streams with even numbers, and those carry no WebSocket; tables
      // in files have many even numbers.
      guard frame.isPlausible(upTo: highestStream), frame.stream & 1 == 1 || frame.stream == 0
      else { return false }
      let end = at + headerSize + frame.length
      if end > bytes.byteCount { break }
      at = end
      if frame.saysSomething(isNew: true) { count += 1 }
    }
    // Either one frame that ends where the segment does, or several.
    return count >= 2 || count == 1 && at == bytes.byteCount
  }
}
