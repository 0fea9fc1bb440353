// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// The JSON text of one packet, `{"namespace":"/","data":[…]}`, in a reused buffer. Attachments are
/// shown as `{"base64":"…"}`.
struct SocketIOText: ~Copyable {
  /// Capacity of the buffer that is kept from one packet to the next, in bytes.
  private static let usualRoom = 1 << 20

  private(set) var text = TextBuffer(capacity: 1 << 10)
  /// The namespace and its query, without quotes.
  private(set) var namespace = ByteRange()
  private(set) var query = ByteRange()
  /// The JSON of the packet; empty when it has none.
  private(set) var data = ByteRange()
  /// The namespace may contain characters that renderers must escape.
  private(set) var hasUnplain = false

  /// The number of the last packet's placeholders without an attachment, and whether any attachment
  /// had no placeholder.
  private(set) var badPlaceholders = 0
  private(set) var isAnyUnused = false
  /// Placeholders of the last packet stand as they were sent, as there was no room.
  private(set) var isOverfull = false

  /// Makes the text of a packet as it was sent.
  mutating func make(_ packet: SocketIOPacket, _ bytes: RawSpan) {
    begin(bytes[packet.namespace], bytes[packet.query])
    end(bytes[packet.data])
  }

  /// Makes the text of a packet with its attachments in place of their placeholders.
  ///
  /// - Parameters:
  ///   - held: the attachments that came, and how many were announced.
  ///   - most: bytes of text beyond which no attachment is put in: several placeholders may name
  ///     the same.
  mutating func make(
    _ packet: SocketIOPacket, _ bytes: RawSpan, _ held: borrowing SocketIOPending, most: Int
  ) {
    begin(bytes[packet.namespace], bytes[packet.query])
    text.append(#","data":"#)
    let start = text.count
    fill(bytes[packet.data], held, most)
    data = ByteRange(start, text.count)
    text.append(byte: UInt8(ascii: "}"))
  }

  /// Makes the text of a packet that was transcoded from another serializer to JSON: binary values
  /// are strings that begin with `\u0000`.
  mutating func make(namespace: RawSpan, serialized: RawSpan) {
    begin(namespace, RawSpan())
    if serialized.isEmpty { return text.append(byte: UInt8(ascii: "}")) }
    text.append(#","data":"#)
    let start = text.count
    var at = 0
    var done = 0
    while let quote = serialized.firstIndex(of: .quote, from: at) {
      let end = serialized.endOfString(quote)
      let isKey = end < serialized.byteCount && serialized.byte(at: end) == .colon
      if !isKey && serialized.dropping(quote).starts(with: #""\u0000"#) {
        text.append(serialized.extracting(done..<quote))
        text.append(#"{"base64":""#)
        text.append(serialized.extracting(quote + 7..<end))
        text.append(byte: UInt8(ascii: "}"))
        done = end
      }
      at = end
    }
    text.append(serialized.dropping(done))
    data = ByteRange(start, text.count)
    text.append(byte: UInt8(ascii: "}"))
  }

  /// The packet was reported: clears the text, and frees an unusually large buffer.
  mutating func endPacket() {
    text.removeAll()
    text.shrink(above: Self.usualRoom)
  }

  private mutating func begin(_ name: RawSpan, _ query: RawSpan) {
    text.removeAll()
    (badPlaceholders, isAnyUnused, isOverfull, hasUnplain) = (0, false, false, false)
    (data, self.query) = (ByteRange(), ByteRange())
    text.append(#"{"namespace":""#)
    if name.isEmpty {
      namespace = ByteRange(text.count, text.count + 1)
      text.append("/\"")
    } else {
      namespace = append(name)
    }
    if query.isEmpty { return }
    text.append(#","query":""#)
    self.query = append(query)
  }

  /// Appends the content of a string and the closing quote.
  private mutating func append(_ content: RawSpan) -> ByteRange {
    let start = text.count
    text.append(jsonStringContent: content)
    let range = ByteRange(start, text.count)
    text.append(byte: .quote)
    // Printable ASCII needs no escapes.
    if !content.isPlain { hasUnplain = true }
    return range
  }

  private mutating func end(_ json: RawSpan) {
    if !json.isEmpty {
      text.append(#","data":"#)
      let start = text.count
      text.append(json)
      data = ByteRange(start, text.count)
    }
    text.append(byte: UInt8(ascii: "}"))
  }

  /// Appends the JSON with `{"base64":…}` in place of placeholders of present attachments.
  private mutating func fill(
    _ json: RawSpan, _ held: borrowing SocketIOPending, _ most: Int
  ) {
    var used: UInt64 = 0
    var (at, done) = (0, 0)
    while at < json.byteCount {
      let byte = json.byte(at: at)
      if byte == .quote {
        at = json.endOfString(at)
      } else if byte == .openBrace, let found = SocketIOPlaceholder(json, at) {
        at = found.end
        guard let number = found.number, number < held.announced else {
          badPlaceholders += 1
          continue
        }
        if number < 64 { used |= 1 << UInt64(number) }
        guard let octets = held.range(ofAttachment: number) else { continue }
        if text.count + octets.count / 3 * 4 > most {
          isOverfull = true
          continue
        }
        text.append(json.extracting(done..<found.start))
        Base64.appendObject(held.octets.bytes[octets], to: &text)
        done = found.end
      } else {
        at += 1
      }
    }
    text.append(json.dropping(done))
    let all = held.announced >= 64 ? UInt64.max : (1 << UInt64(held.announced)) &- 1
    isAnyUnused = used & all != all
  }
}

/// `{"_placeholder":true,"num":0}`, in either order of its members (socket.io-protocol, "Binary").
struct SocketIOPlaceholder {
  let start: Int
  let end: Int
  /// Nil when `num` is not a natural number.
  var number: Int?

  /// The placeholder at a brace; nil when it is another object.
  init?(_ json: RawSpan, _ start: Int) {
    self.start = start
    var at = start + 1
    var isPlaceholder = false
    var hasNumber = false
    for _ in 0..<2 {
      guard let member = Self.member(json, &at) else { return nil }
      if member.isNumber {
        (hasNumber, number) = (true, member.value)
      } else {
        isPlaceholder = true
      }
    }
    at = json.behindSpace(at)
    guard isPlaceholder, hasNumber, at < json.byteCount, json.byte(at: at) == .closeBrace else {
      return nil
    }
    end = at + 1
  }

  /// Reads one of the two members, and a comma after it.
  private static func member(
    _ json: RawSpan, _ at: inout Int
  ) -> (isNumber: Bool, value: Int?)? {
    at = json.behindSpace(at)
    let rest = json.dropping(at)
    let isNumber = rest.starts(with: #""num""#)
    guard isNumber || rest.starts(with: #""_placeholder""#) else { return nil }
    at += isNumber ? 5 : 14
    at = json.behindSpace(at)
    guard at < json.byteCount, json.byte(at: at) == .colon else { return nil }
    at += 1
    at = json.behindSpace(at)
    let start = at
    // Longer values are not those of a placeholder.
    while at < json.byteCount, at < start + 24, isPart(json.byte(at: at)) { at += 1 }
    let value = ByteRange(start, at)
    at = json.behindSpace(at)
    if at < json.byteCount, json.byte(at: at) == .comma { at += 1 }
    if !isNumber { return json[value].equals("true") ? (false, nil) : nil }
    if value.isEmpty { return nil }
    let isNatural = value.count <= 9 && JSON.natural(json, value) != nil
    return (true, isNatural ? SocketIOPacket.number(json, value) : nil)
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    byte.isDigit || byte.isAlpha || byte == .hyphen || byte == .period || byte == UInt8(ascii: "+")
  }
}
