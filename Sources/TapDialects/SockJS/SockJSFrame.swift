// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// A frame of the server, by its first character (SockJS protocol 0.3.4, "Framing and encoding").
enum SockJSFrame {
  /// `o`
  case open
  /// `h`
  case heartbeat
  /// `a["…","…"]`
  case messages
  /// `m"…"`: one value, which some servers send.
  case message
  /// `c[3000,"Go away!"]`
  case close

  /// Nil when the bytes do not begin like a frame.
  init?(_ bytes: RawSpan) {
    guard bytes.byteCount > 0 else { return nil }
    let isAlone = bytes.byteCount == 1
    switch bytes.byte(at: 0) {
    case UInt8(ascii: "o") where isAlone: self = .open
    case UInt8(ascii: "h") where isAlone: self = .heartbeat
    case UInt8(ascii: "a") where !isAlone && bytes.byte(at: 1) == .openBracket: self = .messages
    case UInt8(ascii: "c") where !isAlone && bytes.byte(at: 1) == .openBracket: self = .close
    case UInt8(ascii: "m") where !isAlone: self = .message
    default: return nil
    }
  }

  /// How many messages a frame has, or what a client sends at once; at least one.
  static func messages(_ bytes: RawSpan) -> Int {
    var at = SockJSFrame(bytes) == .messages ? 2 : 1
    guard bytes.byteCount > at, bytes.byte(at: at - 1) == UInt8(ascii: "[") else { return 1 }
    var count = 0
    while JSON.next(bytes, &at, inObject: false) != nil { count += 1 }
    return max(count, 1)
  }

  /// How a frame closes its session; nil when it does not. 2010 ends only one request.
  static func closing(_ bytes: RawSpan) -> Closing? {
    guard SockJSFrame(bytes) == .close else { return nil }
    var at = 2
    guard let code = JSON.next(bytes, &at, inObject: false)?.value,
      let value = JSON.natural(bytes, code.range), value != 2010, value <= UInt16.max
    else { return nil }
    let reason = JSON.next(bytes, &at, inObject: false)?.value
    var closing = Closing(
      by: .toClient, code: UInt16(value),
      reason: reason.map { JSON.unescaped(bytes[$0.content]) } ?? [])
    closing.endsWithFrame = false
    return closing
  }
}
