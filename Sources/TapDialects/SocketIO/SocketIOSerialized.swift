// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Reads packets of socket.io-msgpack-parser: each is one MessagePack map with the members `type`,
/// `data`, `nsp` and optionally `id`; binary values are inline.
struct SocketIOSerialized: ~Copyable {
  private var transcoder: Transcoder
  private var json = TextBuffer(capacity: 1 << 10)
  /// Ranges in `json`: the namespace without quotes, and the data.
  private var (namespace, data) = (ByteRange(), ByteRange())

  init(limits: Limits) {
    transcoder = Transcoder(maximumDepth: limits.nesting, maximumBytes: limits.messageBytes)
  }

  /// Whether bytes may be a packet: a small map.
  static func mayBe(_ bytes: RawSpan) -> Bool {
    bytes.byteCount > 10 && bytes.byte(at: 0) &- 0x82 < 0x0E
  }

  /// Reads one packet; nil when the bytes are something else.
  mutating func read(_ bytes: RawSpan) -> SocketIOPacket? {
    guard Self.mayBe(bytes) else { return nil }
    json.removeAll()
    json.shrink(above: 1 << 20)
    guard transcoder.transcode(bytes, .messagePack, into: &json) == bytes.byteCount else {
      return nil
    }
    var kind: SocketIOPacket.Kind?
    var (namespace, data) = (ByteRange(), ByteRange())
    var ackID: UInt64?
    var isNamespace = false
    var at = 1
    while let member = JSON.next(json.bytes, &at, inObject: true) {
      let key = json.bytes[member.key]
      if key.equals("type"), member.value.kind == .natural, member.value.range.count == 1 {
        kind = SocketIOPacket.Kind(rawValue: json.bytes.byte(at: member.value.range.start) &- 0x30)
      } else if key.equals("nsp"), member.value.kind == .string {
        isNamespace = json.bytes[member.value.content].starts(with: "/")
        namespace = member.value.content
      } else if key.equals("data"), member.value.kind != .null {
        data = member.value.range
      } else if key.equals("id"), member.value.kind == .natural {
        ackID = JSON.natural(json.bytes, member.value.range)
      }
    }
    guard let kind, isNamespace, ackID != nil || kind != .ack else { return nil }
    // A map of two members: some encoders leave data out, which only these may lack.
    if bytes.byte(at: 0) == 0x82, kind != .connect, kind != .disconnect { return nil }
    (self.namespace, self.data) = (namespace, data)
    var packet = SocketIOPacket(kind)
    (packet.data, packet.ackID) = (data, ackID)
    if namespace.count > 1 { packet.namespace = namespace }
    return packet
  }

  /// Makes the text of the last packet.
  func make(_ text: Cell<SocketIOText>) {
    let name = namespace.count > 1 ? json.bytes[namespace] : RawSpan()
    if name.firstIndex(of: .backslash) == nil {
      text.value.make(namespace: name, serialized: json.bytes[data])
    } else {
      let plain = JSON.unescaped(name)
      text.value.make(namespace: plain.span.bytes, serialized: json.bytes[data])
    }
  }
}
