// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Recognises Engine.IO packets by their content. Digits alone are not enough, as they are JSON
/// too: a packet must be an OPEN, a probe, or a MESSAGE with a Socket.IO packet.
struct EngineIORecogniser: Recogniser {
  /// What has come of a conversation that is no proof alone.
  private struct Hints: OptionSet {
    let rawValue: UInt8
    static let ping = Hints(rawValue: 1)
    static let pong = Hints(rawValue: 2)
    /// A packet that others may write too.
    static let packet = Hints(rawValue: 4)
    static let all: Hints = [.ping, .pong, .packet]
  }

  private var scanner: JSONScanner
  private var hints: Hints = []

  let isOfLists = false

  /// `40{` is a CONNECT, `44{` its refusal.
  let starts = [
    TextStart("0", "{"), TextStart("40", "{"), TextStart("44", "{"), TextStart("4", types: 0...6),
  ]

  init(limits: Limits) { scanner = JSONScanner(maximumDepth: limits.nesting) }

  mutating func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, in context: Recognition.Context
  ) -> Recognition {
    switch context {
    case .text, .sent:
      guard kind == .text else { return .none }
      var found = Self.recognition(Self.grade(text, &scanner), text)
      // `4310[5]` may also be a process name with its id.
      let isAck = text.starts(with: "43") || text.starts(with: "46")
      if isAck && found.grade == .likely { found.grade = .possible }
      return found
    case .paste(let isSpoken):
      guard kind != .binary else { return .none }
      if EngineIOPayload.isPasted(text, &scanner) { return Recognition(.likely) }
      let grade = Self.grade(text, &scanner)
      if grade != .none { return Self.recognition(grade, text) }
      // An ack without an id is malformed, but nothing else looks like it.
      if text.starts(with: "43[") { return Recognition(.possible) }
      return isSpoken && Self.mayFollow(text) ? Recognition(.possible) : .none
    case .conversation(let opening, _):
      guard opening.carrier == .webSocket, opening.subprotocol.isEmpty else { return .none }
      if kind == .binary { return Self.isSerialized(text) ? Recognition(.likely) : .none }
      guard kind == .text || kind == .stream else { return .none }
      var found = Recognition(Self.grade(text, &scanner))
      // A lone `2` or `3` may be anything, as may what is only possible; all three together, or the
      // next message, may decide.
      guard let hint = Self.hint(text, found.grade) else { return found }
      hints.insert(hint)
      found.grade = hints == .all ? .likely : .none
      found.isUndecided = hints != .all
      return found
    }
  }

  private static func hint(_ text: RawSpan, _ grade: Recognition.Grade) -> Hints? {
    if text.equals("2") { return .ping }
    if text.equals("3") { return .pong }
    return grade == .possible ? .packet : nil
  }

  /// The server's OPEN begins a session.
  private static func recognition(_ grade: Recognition.Grade, _ text: RawSpan) -> Recognition {
    var found = Recognition(grade)
    if grade != .none, text.byte(at: 0) == UInt8(ascii: "0") {
      (found.begins, found.direction) = (true, .toClient)
    }
    if grade != .none, text.byte(at: 0) == UInt8(ascii: "4") {
      note(text.dropping(1), &found)
    }
    return found
  }

  /// An event that asks for an ack, or the ack; the answer to a CONNECT, which has an id.
  private static func note(_ text: RawSpan, _ found: inout Recognition) {
    var fault: StaticString = ""
    guard let packet = SocketIOPacket(text, &fault) else { return }
    if packet.kind == .connect, text[packet.data].starts(with: "{\"sid\":\"") {
      (found.direction, found.isUsualDirection) = (.toClient, true)
    }
    guard let id = packet.ackID else { return }
    let key = SocketIOSessionRules.ackKey(text[packet.namespace].fingerprint, id)
    if packet.kind.isAck { found.answers = key } else { found.opens = key }
  }

  /// The grade of packets that are distinctive by themselves.
  static func grade(_ text: RawSpan, _ scanner: inout JSONScanner) -> Recognition.Grade {
    guard text.byteCount > 2 else { return .none }
    switch text.byte(at: 0) {
    case UInt8(ascii: "0"): return isOpen(text, &scanner) ? .likely : .none
    case UInt8(ascii: "2"), UInt8(ascii: "3"):
      return text.dropping(1).equals("probe") ? .likely : .none
    case UInt8(ascii: "4"): return grade(socketIO: text, &scanner)
    default: return .none
    }
  }

  private static func isOpen(_ text: RawSpan, _ scanner: inout JSONScanner) -> Bool {
    let object = text.dropping(1)
    guard object.byte(at: 0) == UInt8(ascii: "{"), scanner.scan(object) == object.byteCount else {
      return false
    }
    let handshake = EngineIOHandshake(object)
    return handshake.session?.kind == .string
      && (handshake.upgrades?.kind == .array || handshake.pingInterval?.kind == .natural)
  }

  private static func grade(
    socketIO text: RawSpan, _ scanner: inout JSONScanner
  ) -> Recognition.Grade {
    var fault: StaticString = ""
    let bytes = text.dropping(1)
    guard let packet = SocketIOPacket(bytes, &fault) else { return .none }
    if packet.data.isEmpty { return grade(packet, bytes) }
    guard scanner.scan(bytes, from: packet.data.start) == bytes.byteCount,
      packet.fault(scanner) == nil
    else { return .none }
    if packet.kind == .disconnect { return .none }
    return .likely
  }

  /// The grade of a packet without data. Others write `40/15` for scores, fractions and dates; the
  /// comma behind the namespace is Socket.IO's, but versions before 2 leave it out.
  private static func grade(_ packet: SocketIOPacket, _ bytes: RawSpan) -> Recognition.Grade {
    guard packet.kind == .connect || packet.kind == .disconnect, packet.ackID == nil,
      packet.namespace.count > 1
    else { return .none }
    if bytes.byte(at: bytes.byteCount - 1) == UInt8(ascii: ",") { return .likely }
    return bytes.byte(at: packet.namespace.start + 1).isAlpha ? .possible : .none
  }

  private static func isSerialized(_ bytes: RawSpan) -> Bool {
    let start = bytes.byteCount > 0 && bytes.byte(at: 0) == 4 ? 1 : 0
    guard SocketIOSerialized.mayBe(bytes.dropping(start)) else { return false }
    var serialized = SocketIOSerialized(limits: Limits())
    return serialized.read(bytes.dropping(start)) != nil
  }

  /// Whether this is a packet, given that others were seen.
  private static func mayFollow(_ text: RawSpan) -> Bool {
    if text.equals("40") || text.equals("41") { return true }
    if text.byteCount <= 1 { return !text.isEmpty && (1...6).contains(text.byte(at: 0) &- 0x30) }
    var octets = Scratch()
    return text.byte(at: 0) == UInt8(ascii: "b")
      && Base64.decode(text.dropping(1), into: &octets) == nil
  }

  func refusal(of _: RawSpan) -> String {
    "it is no packet of Engine.IO that can be told from other text"
  }

  /// Whether a text with missing pieces may be an OPEN or a Socket.IO CONNECT.
  static func mayBeHandshake(_ bytes: RawSpan, _ delivery: Delivery) -> Bool {
    var certain = bytes.byteCount
    if delivery.kind.isPartial || delivery.kind == .withheld {
      certain = min(certain, Int(delivery.certainBytes))
    }
    guard certain > 0 else { return true }
    switch bytes.byte(at: 0) {
    case UInt8(ascii: "0"): return true
    case UInt8(ascii: "4"): return certain == 1 || bytes.byte(at: 1) == UInt8(ascii: "0")
    default: return false
    }
  }
}
