// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The binary messages of Phoenix.Socket.V2.JSONSerializer: what it is, the length of each of some
/// texts, these texts, and the payload.
enum PhoenixBinary {
  private enum Kind: UInt8 { case push, reply, broadcast }

  /// Appends the list that is the text form of the message; false when the bytes are not such a
  /// message.
  static func append(
    _ bytes: RawSpan, _ direction: Direction, _: inout JSONScanner, _ text: inout Scratch
  ) -> Bool {
    guard bytes.byteCount > 0, let kind = Kind(rawValue: bytes.byte(at: 0)),
      kind == .push || direction != .toServer
    else { return false }
    // Pushes of a server have no ref.
    let hasRef = kind == .reply || kind == .push && direction != .toClient
    let count = (kind == .broadcast ? 2 : 3) + (hasRef ? 1 : 0)
    guard bytes.byteCount > count else { return false }
    var texts: [ByteRange] = []
    var at = count + 1
    for index in 1...count {
      let end = at + Int(bytes.byte(at: index))
      guard end <= bytes.byteCount, UTF8.firstInvalid(in: bytes.extracting(at..<end)) == nil
      else { return false }
      texts.append(ByteRange(at, end))
      at = end
    }
    // The topic, and the event or the status.
    if texts[count - 2].isEmpty || texts[count - 1].isEmpty { return false }
    var made = TextBuffer(capacity: bytes.byteCount * 2)
    func append(_ index: Int?) {
      let range = index.map { texts[$0] } ?? ByteRange()
      if range.isEmpty { made.append("null") } else { made.append(jsonString: bytes[range]) }
      made.append(byte: .comma)
    }
    made.append(byte: .openBracket)
    append(kind == .broadcast ? nil : 0)
    append(hasRef ? 1 : nil)
    made.append(jsonString: bytes[texts[count - 2]])
    made.append(byte: .comma)
    if kind == .reply {
      made.append(#""phx_reply",{"status":"#)
      made.append(jsonString: bytes[texts[count - 1]])
      made.append(#","response":"#)
      Base64.appendObject(bytes.dropping(at), to: &made)
      made.append("}]")
    } else {
      made.append(jsonString: bytes[texts[count - 1]])
      made.append(byte: .comma)
      Base64.appendObject(bytes.dropping(at), to: &made)
      made.append(byte: .closeBracket)
    }
    text.append(made.bytes)
    return true
  }
}
