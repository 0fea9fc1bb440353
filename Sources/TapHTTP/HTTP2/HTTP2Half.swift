// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The state of one direction of an HTTP/2 connection.
struct HTTP2Half {
  /// A DATA frame whose payload is incomplete.
  struct Pending {
    var stream: UInt32
    /// Bytes of its content, and of its padding, that are still to come.
    var left: Int
    var padding: Int
    var endsStream: Bool
    /// Part of the content has come.
    var hasBegun = false
  }

  /// A field section that is being assembled (RFC 9113 §4.3).
  struct Block {
    var stream: UInt32
    var octets: [UInt8]
    var endsStream: Bool
    /// Of a PUSH_PROMISE: decoded only to keep the dynamic table up to date.
    var isPromise: Bool
    /// What it has reserved of `Limits.unfinishedBytes` until it is complete.
    var room: Reservation
  }

  /// Bytes of the client's connection preface that are still to come.
  var prefaceLeft = 0
  /// An incomplete frame or frame header.
  var carry = Scratch()
  /// What `carry` has reserved of `Limits.unfinishedBytes`.
  var room: Reservation
  var pending: Pending?
  /// Bytes that remain of a frame that is skipped.
  var skipping = 0
  var block: Block?
  var headers: HeaderDecoder
  /// A field section was seen.
  var hasFields = false
  /// After a gap at the beginning: the next field section shows whether one was lost in the gap.
  var mayBeFirst = false
  /// A frame was seen: the first one has to be SETTINGS.
  var hasBegun = false
  /// Set while frame boundaries are not known: after a gap, or if the connection was joined midway.
  var search: HTTP2Search?
  /// It is not HTTP/2.
  var isForeign = false

  init(isClient: Bool, limits: Limits) {
    headers = HeaderDecoder(limits: limits)
    room = Reservation(limits.unfinishedBytes)
    if isClient { prefaceLeft = HTTP2Preface.octets.utf8CodeUnitCount }
  }
}

/// Recognises HTTP/2 in the middle of a connection.
public enum HTTP2Middle {
  /// Whether frames begin here (RFC 9113 §4.1). The bytes must begin a segment or a TLS record.
  public static func recognise(_ bytes: RawSpan) -> Bool { HTTP2Frame.isBeginning(bytes) }
}

/// What a server sends first (RFC 9113 §3.4): SETTINGS, in which it may allow extended CONNECT.
public enum HTTP2ServerPreface {
  /// Whether a server begins HTTP/2 here, with at least one setting; nil when more bytes are needed
  /// to decide.
  public static func recognise(_ bytes: RawSpan) -> Bool? {
    // Length, type, flags, stream, and the identifier of the first setting.
    for at in 0..<min(bytes.byteCount, 11) {
      let byte = bytes.byte(at: at)
      let fits =
        switch at {
        case 2: byte > 0 && byte <= 96 && byte % 6 == 0
        case 3: byte == HTTP2Frame.Kind.settings
        case 10: byte > 0 && byte < 0x20
        default: byte == 0
        }
      if !fits { return false }
    }
    return bytes.byteCount >= 11 ? true : nil
  }
}

/// What a client sends first (RFC 9113 §3.4).
public enum HTTP2Preface {
  static let octets: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

  /// Whether a client begins HTTP/2 here; nil when more bytes are needed to decide.
  public static func recognise(_ bytes: RawSpan) -> Bool? {
    let count = min(bytes.byteCount, 14)
    for at in 0..<count where bytes.byte(at: at) != octets.utf8Start[at] { return false }
    return count == 14 ? true : nil
  }
}
