// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Finds packet boundaries in bytes whose beginning was not captured. MQTT has no start marker, so
/// a chain of plausible packets is searched: each has an existing type and flags, is sent in the
/// right direction, and has content that fills its length exactly.
enum MQTTSearch {
  /// What may begin at an offset.
  enum Candidate {
    /// A plausible packet, and how strong this evidence is: 1 for PUBLISH of QoS 0, 2 for others.
    case packet(end: Int, weight: Int)
    /// CONNECT, which cannot be confused with anything else.
    case connect(end: Int)
    /// The beginning of a packet that may fit.
    case begins
    case none
  }

  /// A chain of plausible packets.
  struct Chain {
    var weight = 0
    var packets = 0
    var isCertain = false
    /// The end of its last complete packet.
    var end = 0
    /// It reaches the newest byte.
    var isUnbroken = true
    var isPossible: Bool { isCertain || isUnbroken }
    /// The direction of these packets, as far as their types show it.
    var direction = Direction.unknown
  }

  /// The least weight to find the next packet of an MQTT connection, and to recognise a stream as
  /// MQTT.
  static let enough = 3
  static let enoughForStreams = 6

  /// Offsets from which packets fit so far; others are not tried again.
  struct Places {
    private static let most = 256

    fileprivate var open: ContiguousArray<Int> = []
    fileprivate var searched = 0

    /// Adds bytes that came after the searched ones.
    fileprivate mutating func extend(
      _ bytes: RawSpan, to direction: Direction, level: UInt8
    ) {
      while searched < bytes.byteCount {
        let start = searched
        searched += 1
        if bytes.byte(at: start) < 0x10 { continue }
        let isOpen = MQTTSearch.chain(bytes, from: start, to: direction, level: level).isPossible
        // Over the limit, the oldest are the least likely.
        if isOpen && open.count == Self.most { open.removeFirst(Self.most / 2) }
        if isOpen { open.append(start) }
      }
    }
  }

  /// The first offset from which a chain reaches the newest byte with enough weight.
  static func firstPacket(
    in held: ResyncBuffer, to direction: Direction, level: UInt8, _ places: inout Places
  ) -> Int? {
    let bytes = held.bytes.bytes
    places.extend(bytes, to: direction, level: level)
    var found: Int?
    places.open.removeAll { start in
      if found != nil { return false }
      let chain = chain(bytes, from: start, to: direction, level: level)
      if isEnough(chain, from: start, held) { found = start }
      return !chain.isPossible
    }
    return found
  }

  private static func isEnough(_ chain: Chain, from start: Int, _ held: ResyncBuffer) -> Bool {
    if chain.isCertain { return true }
    guard chain.isUnbroken, chain.packets > 0 else { return false }
    var weight = chain.weight
    if held.isBorder(start, .start) { weight += 1 }
    if chain.end == held.count && held.isBorder(chain.end, .end) { weight += 1 }
    let isChain = chain.packets >= 3 && chain.weight > chain.packets || chain.packets >= 5
    return isChain || held.isBorder(start, .start) && weight >= enough
  }

  /// - Parameter level: 0 when not known.
  static func chain(
    _ bytes: RawSpan, from start: Int, to direction: Direction, level: UInt8
  ) -> Chain {
    var chain = Chain(end: start)
    while chain.end < bytes.byteCount {
      switch place(bytes, at: chain.end, to: direction, level: level) {
      case .packet(let end, let weight):
        if let type = MQTTType(rawValue: bytes.byte(at: chain.end) >> 4) {
          let usual = type.direction(level: level)
          if usual != .unknown { chain.direction = usual }
          // Nothing follows it.
          if type == .disconnect && end < bytes.byteCount {
            chain.isUnbroken = false
            return chain
          }
        }
        if !isRepeated(bytes, chain.end..<end, since: start) {
          chain.weight += weight
          chain.packets += 1
        }
        chain.end = end
      case .connect(let end):
        chain.isCertain = true
        chain.direction = .toServer
        chain.packets += 1
        chain.end = end
      case .begins: return chain
      case .none:
        chain.isUnbroken = false
        return chain
      }
    }
    return chain
  }

  /// Whether a packet is the one before it once more, although it has an identifier. Bytes that
  /// repeat themselves, as a masking key of WebSocket does over a run of one byte, repeat what
  /// looks like a packet, too.
  private static func isRepeated(_ bytes: RawSpan, _ packet: Range<Int>, since start: Int) -> Bool {
    guard packet.lowerBound - packet.count >= start else { return false }
    switch MQTTType(rawValue: bytes.byte(at: packet.lowerBound) >> 4) {
    case .publish, .pingreq, .pingresp: return false
    default: break
    }
    let before = bytes.extracting(packet.lowerBound - packet.count..<packet.lowerBound)
    return before.equals(bytes.extracting(packet))
  }

  /// What may begin at this offset.
  static func place(
    _ bytes: RawSpan, at start: Int, to direction: Direction, level: UInt8
  ) -> Candidate {
    let first = bytes.byte(at: start)
    guard let type = MQTTType(rawValue: first >> 4) else { return .none }
    if type == .publish {
      if first & 6 == 6 || first & 0xE == 8 { return .none }
    } else if first & 15 != type.fixedFlags {
      return .none
    }
    let usual = type.direction(level: level)
    if usual != .unknown && direction != .unknown && usual != direction { return .none }
    if type == .auth && level != 0 && level < MQTTLevel.v5 { return .none }
    let header: MQTTHeader
    switch MQTTHeader.read(bytes, at: start) {
    case .whole(let found): header = found
    case .incomplete: return .begins
    case .malformed: return .none
    }
    let (body, end) = (start + header.length, start + header.total)
    if !isLength(header.total - header.length, of: type, level: level) { return .none }
    if type == .publish && !isTopicPlausible(bytes, at: body, end: end) { return .none }
    if end > bytes.byteCount { return .begins }
    let content = bytes.extracting(body..<end)
    if type == .connect {
      if isConnect(content) { return .connect(end: end) }
      // With another protocol name it is not certain.
      return MQTTConnectForm.fits(content) ? .packet(end: end, weight: 2) : .none
    }
    guard fits(content, type, first, level: level) else { return .none }
    return .packet(end: end, weight: type == .publish && first & 6 == 0 ? 1 : 2)
  }

  private static func isLength(_ length: Int, of type: MQTTType, level: UInt8) -> Bool {
    switch type {
    case .connect: length >= 12
    case .publish: length >= 2
    case .pingreq, .pingresp: length == 0
    case .connack: length == 2 || level != MQTTLevel.v311 && 3...1024 ~= length
    case .puback, .pubrec, .pubrel, .pubcomp, .unsuback:
      length == 2 || (level == 0 || level == MQTTLevel.v5) && 3...1024 ~= length
    case .disconnect, .auth: length == 0 || (level == 0 || level == 5) && length <= 1024
    case .subscribe: length >= 6
    case .unsubscribe: length >= 5
    case .suback: length >= 3
    }
  }

  /// Whether the topic of a PUBLISH, as far as it is there, is text without wildcards and control
  /// characters.
  private static func isTopicPlausible(_ bytes: RawSpan, at start: Int, end: Int) -> Bool {
    guard start + 2 <= bytes.byteCount else { return true }
    let topic = start + 2 + Int(bytes.uint16(at: start))
    if topic > end { return false }
    let name = bytes.extracting(start + 2..<min(topic, bytes.byteCount))
    for at in 0..<name.byteCount {
      let byte = name.byte(at: at)
      if byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "#") {
        return false
      }
    }
    // Its last character may be cut.
    return UTF8.firstInvalid(in: name).map { $0 + 4 > name.byteCount } ?? true
  }

  /// A complete CONNECT with one of the protocol names.
  static func isConnect(_ content: RawSpan) -> Bool {
    content.starts(with: "\0\u{4}MQTT\u{4}") || content.starts(with: "\0\u{4}MQTT\u{5}")
      || content.starts(with: "\0\u{6}MQIsdp\u{3}")
      || content.byteCount > 8 && content.starts(with: "\0\u{4}MQTT")
        && 0x84...0x85 ~= content.byte(at: 6)
  }

  /// Whether a packet can be read to its end without a fault.
  private static func fits(
    _ content: RawSpan, _ type: MQTTType, _ first: UInt8, level: UInt8
  ) -> Bool {
    if level == 0 {
      return fits(content, type, first, level: MQTTLevel.v311)
        || fits(content, type, first, level: MQTTLevel.v5)
    }
    var shape = MQTTPacketShape(content, isV5: level == MQTTLevel.v5)
    return shape.fits(content, type, first)
  }
}
