// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The header of a record (RFC 8446 §5.1, RFC 5246 §6.2.1):
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +---------------+-------------------------------+---------------+
///     |     type      |    legacy_record_version      |    length     |
///     +---------------+-------------------------------+---------------+
///     |    length     |   fragment …
///     +---------------+-----------------------------------------------+
struct Record: Equatable {
  static let headerSize = 5
  /// RFC 5246 §6.2.3: 2^14 and 2048 more.
  static let mostOctets = 16384 + 2048

  enum Kind {
    static let changeCipherSpec: UInt8 = 20
    static let alert: UInt8 = 21
    static let handshake: UInt8 = 22
    static let applicationData: UInt8 = 23
    /// RFC 6520.
    static let heartbeat: UInt8 = 24
    static let all = changeCipherSpec...heartbeat
  }

  var type: UInt8
  var version: UInt16
  /// The length of the following fragment in bytes.
  var length: Int

  /// The size of header and fragment in bytes.
  var size: Int { Self.headerSize + length }

  /// Nil when there are fewer than five bytes.
  static func parse(_ bytes: RawSpan, at offset: Int) -> Record? {
    guard bytes.byteCount &- offset >= headerSize else { return nil }
    return Record(
      type: bytes.byte(at: offset), version: bytes.uint16(at: offset &+ 1),
      length: Int(bytes.uint16(at: offset &+ 3)))
  }

  /// Whether it can be a record header of TLS 1.0 to 1.3.
  var isPlausible: Bool {
    Kind.all.contains(type) && version >> 8 == 3 && version & 0xFF <= 4
      && length <= Self.mostOctets
  }
}

/// Recognises TLS by its first bytes.
public enum TLSStart {
  /// Whether a handshake begins here (RFC 8446 §5.1, §4); nil when more bytes are needed. A side
  /// begins with its hello, or with an alert.
  public static func recognise(_ bytes: RawSpan) -> Bool? {
    let patterns: [(UInt8, ClosedRange<UInt8>)] = [(0x16, 1...2), (0x15, 1...2)]
    for (type, sixth) in patterns {
      if bytes.byteCount > 0 && bytes.byte(at: 0) != type { continue }
      if bytes.byteCount > 1 && bytes.byte(at: 1) != 3 { return false }
      if bytes.byteCount > 2 && bytes.byte(at: 2) > 4 { return false }
      if bytes.byteCount < 6 { return nil }
      return sixth.contains(bytes.byte(at: 5))
    }
    return bytes.isEmpty ? nil : false
  }

  /// Whether a ClientHello begins here, with which a connection begins (RFC 8446 §4).
  public static func isClientHello(_ bytes: RawSpan) -> Bool {
    recognise(bytes) == true && bytes.byte(at: 0) == Record.Kind.handshake
      && bytes.byte(at: 5) == 1
  }

  /// Whether bytes from the middle of a stream are complete TLS records, as segments often begin
  /// with one: records of a handshake or of application data, up to the end of the bytes.
  public static func isChain(_ bytes: RawSpan) -> Bool {
    var at = 0
    var count = 0
    while at < bytes.byteCount {
      guard let record = Record.parse(bytes, at: at), record.isPlausible, record.length > 0,
        record.type != Record.Kind.heartbeat
      else { return false }
      // An encrypted record has at least a tag.
      if record.type == Record.Kind.applicationData && record.length < 17 { return false }
      at += record.size
      count += 1
    }
    return count > 0 && at == bytes.byteCount
  }
}
