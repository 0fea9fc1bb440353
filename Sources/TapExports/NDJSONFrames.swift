// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Rebuilds frames of Engine.IO, Socket.IO and SockJS from NDJSON, whose bodies hold only what the
/// frames carry.
struct NDJSONFrames {
  /// What was sent for one line.
  struct Sent {
    var content = Scratch()
    var isBinary = false
    /// Binary messages behind it.
    var attachments: [[UInt8]] = []
  }

  /// Packets by their numbers: Engine.IO protocol, "Protocol"; Socket.IO protocol, "Packet types".
  private static let engineIO = ["OPEN", "CLOSE", "PING", "PONG", "MESSAGE", "UPGRADE", "NOOP"]
  private static let socketIO = [
    "CONNECT", "DISCONNECT", "EVENT", "ACK", "CONNECT_ERROR", "BINARY_EVENT", "BINARY_ACK",
  ]

  private let limits: Limits

  init(_ limits: Limits) { self.limits = limits }

  /// - Parameter isThirdRevision: Engine.IO 3, in which binary messages begin with their type.
  func engineIO(_ line: NDJSONLine, isThirdRevision: Bool) -> Sent {
    let value = NDJSONBody(line.body.bytes, limit: limits.messageBytes)
    let number = Self.engineIO.firstIndex { line.name.elementsEqual($0.utf8) }
    var sent = Sent()
    if let octets = value.octets, line.connection == nil {
      // It was pasted, as text.
      var base64 = TextBuffer(capacity: octets.count * 2)
      Base64.append(octets.span.bytes, to: &base64)
      sent.content.append("b")
      sent.content.append(base64.bytes)
      return sent
    }
    if let octets = value.octets {
      if isThirdRevision { sent.content.append(UInt8(number ?? 4)) }
      sent.content.append(octets.span.bytes)
      sent.isBinary = true
      return sent
    }
    if let number { sent.content.append(String(number)) }
    if let text = value.text {
      sent.content.append(text.span.bytes)
    } else {
      sent.content.append(line.body.bytes)
    }
    return sent
  }

  func socketIO(_ line: NDJSONLine, isThirdRevision: Bool) -> Sent {
    let packet = NDJSONPacket(line.body.bytes, ids: line.ids.bytes, limit: limits.messageBytes)
    let number = Self.socketIO.firstIndex { line.name.elementsEqual($0.utf8) }
    var sent = Sent()
    guard let number else {
      sent.content.append(line.body.bytes)
      return sent
    }
    sent.content.append("4")
    sent.content.append(String(number))
    let isBinary = number > 4
    let data =
      isBinary ? Self.withPlaceholders(packet.data.bytes, &sent.attachments) : packet.data
    if isBinary {
      sent.content.append(String(sent.attachments.count))
      sent.content.append("-")
      // Its binary messages begin with the type MESSAGE.
      if isThirdRevision { sent.attachments = sent.attachments.map { [4] + $0 } }
    }
    if packet.namespace != Array("/".utf8) || !packet.query.isEmpty {
      sent.content.append(packet.namespace.span.bytes)
      if !packet.query.isEmpty {
        sent.content.append("?")
        sent.content.append(packet.query.span.bytes)
      }
      sent.content.append(",")
    }
    if let ack = packet.ack { sent.content.append(String(max(ack, 0))) }
    sent.content.append(data.bytes)
    return sent
  }

  /// Replaces bytes, `{"base64":"…"}`, by placeholders.
  private static func withPlaceholders(
    _ data: RawSpan, _ attachments: inout [[UInt8]]
  ) -> Scratch {
    var text = Scratch()
    var (at, begin) = (0, 0)
    while at < data.byteCount {
      if data.byte(at: at) == .quote {
        at = data.endOfString(at)
      } else if let (octets, end) = octets(data, at) {
        text.append(data.extracting(begin..<at))
        text.append(#"{"_placeholder":true,"num":"#)
        text.append(String(attachments.count))
        text.append("}")
        attachments.append(octets)
        (at, begin) = (end, end)
      } else {
        at += 1
      }
    }
    text.append(data.extracting(begin..<data.byteCount))
    return text
  }

  private static func octets(_ data: RawSpan, _ at: Int) -> (octets: [UInt8], end: Int)? {
    let mark: StaticString = #"{"base64":""#
    guard data.byte(at: at) == .openBrace,
      data.extracting(at..<data.byteCount).starts(with: mark)
    else { return nil }
    let begin = at + mark.utf8CodeUnitCount
    guard let end = data.firstIndex(of: .quote, from: begin), end + 1 < data.byteCount,
      data.byte(at: end + 1) == .closeBrace
    else { return nil }
    var octets = Scratch()
    guard Base64.decode(data.extracting(begin..<end), into: &octets) == nil else { return nil }
    return (octets.bytes.copied(), end + 2)
  }

  /// A frame of SockJS.
  func sockJS(_ line: NDJSONLine) -> Sent {
    let value = NDJSONBody(line.body.bytes, limit: limits.messageBytes)
    if let octets = value.octets {
      var sent = Sent()
      sent.content.append(octets.span.bytes)
      sent.isBinary = true
      return sent
    }
    if let code = value.code {
      var sent = Sent()
      sent.content.append("c[")
      sent.content.append(String(code))
      sent.content.append(",")
      Self.append(string: value.reason.span.bytes, to: &sent.content)
      sent.content.append("]")
      return sent
    }
    guard let text = value.text else { return inSockJS(line.body.bytes, line.direction) }
    if line.name.elementsEqual("MESSAGE".utf8) { return inSockJS(text.span.bytes, line.direction) }
    var sent = Sent()
    sent.content.append(text.span.bytes)
    return sent
  }

  /// A text as a string of JSON.
  private static func append(string text: RawSpan, to frame: inout Scratch) {
    var string = TextBuffer(capacity: text.byteCount + 2)
    string.append(jsonString: text)
    frame.append(string.bytes)
  }

  /// A message that SockJS carries, as a list of one.
  func inSockJS(_ message: RawSpan, _ direction: Direction) -> Sent {
    var sent = Sent()
    sent.content.append(direction == .toServer ? "[" : "a[")
    Self.append(string: message, to: &sent.content)
    sent.content.append("]")
    return sent
  }
}
