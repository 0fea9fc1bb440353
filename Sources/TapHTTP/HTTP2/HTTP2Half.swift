// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What is kept of one direction of an HTTP/2 connection.
struct HTTP2Half {
  /// A DATA frame whose payload has not come to its end.
  struct Pending {
    var stream: UInt32
    /// Bytes of the content that are still to come, and of the padding behind it.
    var left: Int
    var padding: Int
    var endsStream: Bool
    /// Some of the content has come.
    var hasBegun = false
  }

  /// A field section that is being put together (RFC 9113 §4.3).
  struct Block {
    var stream: UInt32
    var octets: [UInt8]
    var endsStream: Bool
    /// Of a PUSH_PROMISE: read for the sake of the table only.
    var isPromise: Bool
    /// What it takes of `Limits.unfinishedBytes` while more of it is to come.
    var room: Reservation
  }

  /// Bytes of the client's connection preface that are still to come.
  var prefaceLeft = 0
  /// A frame, or the header of one, that is not all there.
  var carry = Scratch()
  /// What `carry` takes of `Limits.unfinishedBytes`.
  var room: Reservation
  var pending: Pending?
  /// Bytes of a frame that is passed over.
  var skipping = 0
  var block: Block?
  var headers: HeaderDecoder
  /// A field section has been seen.
  var hasFields = false
  /// Behind a hole at the beginning: whether a field section was in it shows with the next one.
  var mayBeFirst = false
  /// A frame has been seen: the first has to be SETTINGS.
  var hasBegun = false
  /// Where frames begin is not known: behind a hole, or in mid-course.
  var search: HTTP2Search?
  /// What comes is no HTTP/2.
  var isForeign = false

  init(isClient: Bool, limits: Limits) {
    headers = HeaderDecoder(limits: limits)
    room = Reservation(limits.unfinishedBytes)
    if isClient { prefaceLeft = HTTP2Preface.octets.utf8CodeUnitCount }
  }
}

/// Tells HTTP/2 in mid-course.
public enum HTTP2Middle {
  /// Whether frames begin here (RFC 9113 §4.1); the bytes begin a segment or a TLS record.
  public static func recognise(_ bytes: RawSpan) -> Bool { HTTP2Frame.isBeginning(bytes) }
}

/// What a server begins with (RFC 9113 §3.4): SETTINGS, in which it allows extended CONNECT.
public enum HTTP2ServerPreface {
  /// Whether a server begins to speak HTTP/2 here, and says something; nil when there are too few
  /// bytes to tell.
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

/// What a client begins with (RFC 9113 §3.4).
public enum HTTP2Preface {
  static let octets: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

  /// Whether the client begins to speak HTTP/2 here; nil when there are too few bytes to tell.
  public static func recognise(_ bytes: RawSpan) -> Bool? {
    let count = min(bytes.byteCount, 14)
    for at in 0..<count where bytes.byte(at: at) != octets.utf8Start[at] { return false }
    return count == 14 ? true : nil
  }
}
