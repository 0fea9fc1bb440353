// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic
internal import TapCaptures
internal import TapEvidence

/// What bytes are that come without anything around them that says so.
enum OctetShape: Equatable {
  /// A file of a kind that begins with a magic number.
  case file
  case packet
  /// HTTP/1 begins.
  case http
  /// An array or an object of JSON begins, or a frame of text that NUL ends (STOMP).
  case text
  /// Packets of MQTT, one behind the other to the end.
  case controlPackets
  /// WebSocket frames begin.
  case frames
  /// The header of a frame may begin here; nothing more speaks for it.
  case frameHeader
  /// One message in MessagePack, CBOR, UBJSON or BJData, as far as its form goes: a list that
  /// begins with a small number, from the first byte to the last.
  case serialized
  case unknown

  /// - Parameter isAll: nothing follows.
  static func recognise(_ bytes: RawSpan, isAll: Bool) -> OctetShape {
    for kind in [PcapInput.self, PcapngInput.self, GzipInput.self] as [any InputKind.Type]
    where kind.claim(bytes, isAll: true) == .yes {
      return .file
    }
    if PacketShape.recognise(bytes) != nil { return .packet }
    if isHTTP(bytes) { return .http }
    // No list of JSON begins as one of UBJSON does.
    if bytes.starts(with: "["), isSerialized(bytes, isAll: isAll) { return .serialized }
    if isText(bytes, isAll: isAll) || isTextFrame(bytes) { return .text }
    if isAll && ControlPackets.fill(bytes) { return .controlPackets }
    let frames = frames(bytes, isAll: isAll)
    return frames != .frames && isSerialized(bytes, isAll: isAll) ? .serialized : frames
  }

  private static func isSerialized(_ bytes: RawSpan, isAll: Bool) -> Bool {
    SerializedValue(bytes, isAll: isAll)?.hasCode ?? false
  }

  private static func isHTTP(_ bytes: RawSpan) -> Bool {
    bytes.starts(with: "GET /") || bytes.starts(with: "HTTP/1.") || bytes.starts(with: "GET http")
      || bytes.starts(with: "CONNECT ") || bytes.starts(with: "POST /")
  }

  /// Text that begins as a list does, without controls.
  private static func isText(_ bytes: RawSpan, isAll: Bool) -> Bool {
    var at = 0
    while at < bytes.byteCount,
      [.space, .tab, .lineFeed, .carriageReturn].contains(bytes.byte(at: at))
    { at += 1 }
    guard at + 1 < bytes.byteCount, bytes.byte(at: at) == .openBracket else { return false }
    return isPrintable(bytes, isAll: isAll)
  }

  /// A command in capitals on a line of its own, and text up to a NUL.
  private static func isTextFrame(_ bytes: RawSpan) -> Bool {
    var at = 0
    while at < bytes.byteCount, bytes.byte(at: at) &- 0x41 < 26 { at += 1 }
    guard (3...16).contains(at), let end = bytes.firstIndex(of: 0), end > at else { return false }
    let hasLineEnd = [.lineFeed, .carriageReturn].contains(bytes.byte(at: at))
    return hasLineEnd && isPrintable(bytes.extracting(at..<end), isAll: true)
  }

  /// UTF-8 without controls; a character may be cut off at the end of a part.
  private static func isPrintable(_ bytes: RawSpan, isAll: Bool) -> Bool {
    UTF8.isValid(bytes, isWhole: isAll) && bytes.firstControl() == nil
      && bytes.firstIndex(of: 0x7F) == nil
  }

  /// Frames one behind the other, each keeping the rules that need no handshake (RFC 6455 §5.2).
  private static func frames(_ bytes: RawSpan, isAll: Bool) -> OctetShape {
    if bytes.isEmpty { return .unknown }
    var at = 0
    var number = 0
    var hasText = false
    // Whether each side has a message open, of which only fragments were sent.
    var isOpen = (client: false, server: false)
    while at < bytes.byteCount {
      guard let frame = FrameOutline(bytes, at: at), frame.isPlausible,
        number == 0 || frame.follows(isOpen: frame.isMasked ? isOpen.client : isOpen.server)
      else {
        // Behind frames that are whole, something else is damage and no reason to doubt them.
        // Without a text they have to be most of it: two short ones are found in anything.
        let isMost = number >= 2 && at * 2 >= bytes.byteCount
        return isMost || hasText ? .frames : mayBegin(bytes, at, number)
      }
      // The first frame continues nothing, unless it is the end of a message.
      if number == 0 && frame.opcode == .continuation && frame.first != 0x80 { return .unknown }
      if frame.first & 8 == 0 {
        if frame.isMasked {
          isOpen.client = frame.first & 0x80 == 0
        } else {
          isOpen.server = frame.first & 0x80 == 0
        }
      }
      let left = bytes.byteCount - at - frame.size
      let isWhole = frame.length <= left
      if frame.first == 0x81 {
        let payload = bytes.extracting(at + frame.size..<at + frame.size + min(left, frame.length))
        let text = unmasked(payload, frame)
        guard isPrintable(text.bytes, isAll: isWhole) else {
          return number > 0 ? .frames : .unknown
        }
        let start = text.isEmpty ? 0 : text.bytes.byte(at: 0)
        hasText =
          hasText || (isWhole && !text.isEmpty)
          || (text.count >= 2 && (start == .openBracket || start == .openBrace))
      }
      guard isWhole else { return number > 0 || hasText ? .frames : .frameHeader }
      number += 1
      at += frame.size + frame.length
    }
    return number > 0 && (isAll || number > 1 || hasText) ? .frames : .frameHeader
  }

  /// A header that is cut off, or nothing.
  private static func mayBegin(_ bytes: RawSpan, _ at: Int, _ number: Int) -> OctetShape {
    let isCut = FrameOutline(bytes, at: at) == nil
    if number > 0 { return isCut ? .frames : .unknown }
    guard isCut, bytes.byteCount >= 2 else { return .unknown }
    let first = bytes.byte(at: at)
    return first & 0x30 == 0 && (first & 15 == 1 || first & 15 == 2) ? .frameHeader : .unknown
  }

  private static func unmasked(_ payload: RawSpan, _ frame: FrameOutline) -> Scratch {
    var text = Scratch()
    text.append(payload, unmaskedWith: frame.key, phase: 0)
    return text
  }
}
