// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// What an element of SASL carries in XMPP (RFC 6120 §6.4), which over WebSocket is a message of
/// its own (RFC 7395 §3.3): a password, or what can be replayed or guessed from.
public enum SASLElement {
  /// The text of the element; nil when it has none, or when it is another element.
  public static func credential(in text: RawSpan) -> ByteRange? {
    var start = 0
    while start < text.byteCount, text.byte(at: start) <= 0x20 { start += 1 }
    guard start < text.byteCount, text.byte(at: start) == UInt8(ascii: "<"),
      let tagEnd = text.firstIndex(of: UInt8(ascii: ">"), from: start),
      isOfSASL(text.extracting(start..<tagEnd))
    else { return nil }
    // The end may not have been captured.
    let end = text.firstIndex(of: UInt8(ascii: "<"), from: tagEnd) ?? text.byteCount
    return end > tagEnd + 1 ? ByteRange(tagEnd + 1, end) : nil
  }

  private static func isOfSASL(_ tag: RawSpan) -> Bool {
    var at = 0
    while let colon = tag.firstIndex(of: .colon, from: at) {
      if colon >= 3, tag.dropping(colon - 3).starts(with: "urn:ietf:params:xml:ns:xmpp-sasl") {
        return true
      }
      at = colon + 1
    }
    return false
  }
}
