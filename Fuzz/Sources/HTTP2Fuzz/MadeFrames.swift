// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapTraffic

/// Makes a script of frames (RFC 9113 §4.1) from the input: four bytes of orders for each, then
/// content.
struct MadeFrames {
  private(set) var writer = StreamScript.Writer()
  /// The content of DATA frames, by stream and direction.
  private(set) var sent: [UInt32: [[UInt8]]] = [:]
  /// It contains only frames that are made here.
  private(set) var isKnown = true
  /// Some content may look like frame headers, which begin with a zero byte, as no frame exceeds
  /// 2^16 bytes. After a gap these cannot be distinguished from real ones.
  private(set) var mimics = false
  private var rest: Slice<UnsafeRawBufferPointer>

  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  private static let connect = section([
    (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"), (":path", "/"),
    (":authority", "a"), ("sec-websocket-version", "13"), ("sec-websocket-protocol", "wamp.2.json"),
  ])
  private static let agreed = section([
    (":status", "200"), ("sec-websocket-protocol", "wamp.2.json"),
  ])
  private static let refused = section([(":status", "403")])

  init(_ orders: UnsafeRawBufferPointer) { rest = orders[...] }

  mutating func writeAll() {
    while rest.count >= 4 {
      let (what, flags) = (rest.removeFirst(), rest.removeFirst())
      let (number, length) = (rest.removeFirst(), rest.removeFirst())
      let content = Array(rest.prefix(Int(length)))
      rest = rest.dropFirst(content.count)
      mimics = mimics || content.contains(0)
      let direction: Direction = what & 16 == 0 ? .toServer : .toClient
      let stream = UInt32(number & 7)
      let octets = octets(what & 15, flags, stream, content, number >> 3, direction)
      if what & 64 != 0 && !octets.isEmpty {
        writer.append(gap: what & 128 != 0 ? nil : octets.count, direction)
      } else if what & 128 != 0 && octets.count > 2 {
        // A part of its middle is missing.
        let (first, last) = (octets.count / 3, octets.count * 2 / 3)
        writer.append(Array(octets[..<first]), direction, joins: what & 32 != 0)
        writer.append(gap: last - first, direction)
        writer.append(Array(octets[last...]), direction, joins: true)
      } else {
        writer.append(octets, direction, joins: what & 32 != 0)
      }
    }
  }

  private mutating func octets(
    _ what: UInt8, _ flags: UInt8, _ stream: UInt32, _ content: [UInt8], _ padding: UInt8,
    _ direction: Direction
  ) -> [UInt8] {
    switch what {
    case 0:
      sent[stream, default: [[], []]][Int(direction.rawValue)] += content
      if flags & 8 == 0 { return Self.frame(0, flags & 1, stream, content) }
      let zeros = [UInt8](repeating: 0, count: Int(padding))
      return Self.frame(0, flags & 9, stream, [padding] + content + zeros)
    case 1...9: return Self.frame(what, flags, stream, content)
    case 10:
      return (direction == .toServer ? Self.preface : []) + Self.frame(4, 0, 0, [])
    case 11: return Self.frame(1, 4 | flags & 1, stream, Self.connect)
    case 12: return Self.frame(1, 4 | flags & 1, stream, Self.agreed)
    case 13: return Self.frame(1, 4 | flags & 1, stream, Self.refused)
    case 14:
      // Split between two frames.
      let place = Int(flags) % Self.connect.count
      return Self.frame(1, 0, stream, Array(Self.connect[..<place]))
        + Self.frame(9, 4, stream, Array(Self.connect[place...]))
    default:
      isKnown = false
      return content
    }
  }

  private static func frame(
    _ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]
  ) -> [UInt8] {
    [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type, flags, 0, 0, 0]
      + [UInt8(stream)] + payload
  }

  /// Literal fields that are not indexed (RFC 7541 §6.2.2).
  private static func section(_ fields: [(String, String)]) -> [UInt8] {
    fields.flatMap { name, value in
      [0, UInt8(name.utf8.count)] + name.utf8 + [UInt8(value.utf8.count)] + value.utf8
    }
  }
}
