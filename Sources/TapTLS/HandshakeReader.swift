// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reassembles handshake messages, which records may split arbitrarily: several in one record, or
/// one over several (RFC 8446 §4, §5.1). Messages that are not needed are not kept.
struct HandshakeReader {
  enum Kind {
    static let clientHello: UInt8 = 1
    static let serverHello: UInt8 = 2
    static let endOfEarlyData: UInt8 = 5
    static let encryptedExtensions: UInt8 = 8
    static let finished: UInt8 = 20
    static let keyUpdate: UInt8 = 24

    /// Whether its content is needed.
    static func isRead(_ type: UInt8) -> Bool {
      type == clientHello || type == serverHello || type == encryptedExtensions
    }
  }

  struct Message {
    var type: UInt8
    /// Empty for a message that is not needed.
    var content: [UInt8]
    /// It was needed, but there was no room for it.
    var isGivenUp = false
  }

  /// Larger messages are not kept: a hello with post-quantum keys has a few kilobytes.
  private static let mostOctets = 1 << 14

  private var header: [UInt8] = []
  private var content: [UInt8] = []
  /// The missing bytes of the message.
  private var left = 0
  private var (isKept, isGivenUp) = (false, false)

  /// Continues at `at`; returns a complete message, or nil when more bytes are needed.
  ///
  /// - Parameter room: shared memory for the messages of all connections.
  mutating func next(_ bytes: RawSpan, _ at: inout Int, _ room: inout Reservation) -> Message? {
    while header.count < 4 {
      guard at < bytes.byteCount else { return nil }
      header.append(bytes.byte(at: at))
      at += 1
      if header.count == 4 {
        left = header[1...].reduce(0) { $0 << 8 | Int($1) }
        isKept = Kind.isRead(header[0]) && left <= Self.mostOctets
        isGivenUp = isKept && !room.reserve(left)
        if isGivenUp { isKept = false }
      }
    }
    let count = min(left, bytes.byteCount - at)
    if isKept {
      content += bytes.extracting(at..<at + count).copied()
    }
    at += count
    left -= count
    if left > 0 { return nil }
    let message = Message(type: header[0], content: content, isGivenUp: isGivenUp)
    room.giveBack()
    self = HandshakeReader()
    return message
  }
}
