// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Recognises binary messages that consist of complete MQTT packets.
struct MQTTRecogniser: Recogniser {
  let isOfLists = false
  /// The beginning of a CONNECT that came in several messages of a conversation.
  private var begun = MQTTConnectPieces()

  mutating func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, in context: Recognition.Context
  ) -> Recognition {
    if kind == .text || kind == .abridged, text.starts(with: MQTTReplay.start),
      case .conversation(let opening, _) = context, opening.provenance.isTranscoded
    {
      return Recognition(.likely)
    }
    guard kind == .binary || kind == .stream else { return .none }
    // MQTT.js sends a packet in several messages. Hold them: one may be a password.
    if case .conversation = context {
      switch begun.append(text) {
      case .connect:
        var found = Recognition(.likely)
        (found.direction, found.begins) = (.toServer, true)
        return found
      case .begins:
        var found = Recognition.none
        found.isUndecided = true
        return found
      case .none: break
      }
    }
    if text.byteCount < 2 { return .none }
    var isPasted = false
    if case .paste = context { isPasted = true }
    let chain = MQTTSearch.chain(text, from: 0, to: .unknown, level: 0)
    guard chain.isUnbroken, chain.packets > 0 else { return .none }
    // A conversation's first message may end in the middle of a packet.
    guard chain.end == text.byteCount || chain.isCertain && !isPasted else { return .none }
    let isLong = text.byteCount > 4 || chain.packets > 1
    var found = Recognition(chain.isCertain || isPasted && isLong ? .likely : .possible)
    found.direction = chain.direction
    found.begins = text.byte(at: 0) == 0x10
    return found
  }

  func refusal(of _: RawSpan) -> String { "its bytes are no packets of MQTT" }
}

/// Recognises streams that begin with CONNECT, and streams captured from the middle in which
/// several consecutive packets fit.
struct MQTTStreamRecogniser: StreamRecogniser {
  /// The limits of bytes kept of each direction until the stream is recognised, and of possible
  /// packet beginnings.
  private static let most = 64 << 10
  private static let mostPlaces = 16
  /// How many bytes to wait for when a CONNECT has no MQTT protocol name; a longer one is none.
  private static let mostOfConnect = 4096

  /// One direction of a stream that was captured from the middle.
  private struct Side {
    var held = ResyncBuffer()
    /// Segment boundaries from which packets fit so far.
    var places: ContiguousArray<Int> = []
  }

  private var toServer = Side()
  private var toClient = Side()

  init(limits _: Limits) {}

  func recognise(first: RawSpan, _ direction: Direction) -> Bool? {
    if direction == .toClient { return beginsWithConnack(first) }
    guard direction == .toServer, first.byteCount > 0 else { return false }
    // Ignore the flags next to the type, which should be 0.
    let mayBeConnect = first.byte(at: 0) >> 4 == MQTTType.connect.rawValue
    if mayBeConnect { return beginsWithConnect(first) }
    // The client does not begin with CONNECT: only a chain of packets shows that it speaks MQTT.
    let chain = MQTTSearch.chain(first, from: 0, to: direction, level: 0)
    guard chain.isUnbroken else { return false }
    if chain.isCertain || chain.packets >= 3 && chain.weight > chain.packets { return true }
    return first.byteCount > Self.mostOfConnect ? false : nil
  }

  /// Whether a protocol name follows the fixed header, or the packet has the form of CONNECT; nil
  /// until enough of it is there.
  private func beginsWithConnect(_ first: RawSpan) -> Bool? {
    guard case .whole(let header) = MQTTHeader.read(first, at: 0) else {
      return first.byteCount >= 5 ? false : nil
    }
    let content = first.extracting(header.length..<min(header.total, first.byteCount))
    if MQTTConnectForm.hasName(content) { return true }
    if header.total > Self.mostOfConnect { return false }
    guard first.byteCount >= header.total else { return nil }
    if MQTTConnectForm.fits(content) { return true }
    // Accept a faulty CONNECT with a name similar to MQTT's if it ends before the client
    // identifier, or if that identifier fits.
    guard content.byteCount > 4, 4...6 ~= content.uint16(at: 0),
      MQTTConnectForm.beginsAlike(content.dropping(2))
    else { return false }
    let client = 2 + Int(content.uint16(at: 0)) + 4
    guard client + 2 <= content.byteCount else { return first.byteCount == header.total }
    return client + 2 + Int(content.uint16(at: client)) <= content.byteCount
  }

  /// Whether the server begins with a CONNACK, where nothing of the client was captured; nil until
  /// enough of it is there.
  private func beginsWithConnack(_ first: RawSpan) -> Bool? {
    let connack = MQTTType.connack.rawValue << 4
    guard first.byteCount > 0, first.byte(at: 0) == connack else { return false }
    let chain = MQTTSearch.chain(first, from: 0, to: .toClient, level: 0)
    guard chain.isUnbroken else { return false }
    // Alone, one without properties is too short to show it.
    let hasProperties = chain.packets == 1 && chain.end > 5
    if hasProperties || chain.packets > 1 { return true }
    return first.byteCount > Self.mostOfConnect ? false : nil
  }

  mutating func recognise(midstream bytes: RawSpan, _ delivery: Delivery) -> MessagesMidstream? {
    if delivery.origin.direction == .toServer {
      return Self.look(&toServer, bytes, delivery)
    }
    return Self.look(&toClient, bytes, delivery)
  }

  private static func look(
    _ side: inout Side, _ bytes: RawSpan, _ delivery: Delivery
  ) -> MessagesMidstream? {
    let begin = side.held.count
    // The other side may still show it: this one may be within a large PUBLISH.
    if begin > most { return nil }
    side.held.append(bytes, delivery)
    if delivery.edges.contains(.start) && side.places.count < mostPlaces {
      side.places.append(begin)
    }
    let held = side.held
    var found: MessagesMidstream?
    side.places.removeAll { start in
      let chain = MQTTSearch.chain(held.bytes.bytes, from: start, to: .unknown, level: 0)
      let length = held.count - start
      if chain.isCertain { found = MessagesMidstream(direction: .toServer, length: length) }
      let weight = chain.weight + borders(held, from: start, to: chain.end)
      let isMixed = chain.weight > chain.packets
      if chain.isUnbroken && weight >= MQTTSearch.enoughForStreams
        && (isMixed || chain.packets >= 3)
      {
        found = found ?? MessagesMidstream(direction: chain.direction, length: length)
      }
      return !chain.isUnbroken
    }
    return found ?? longChain(bytes)
  }

  /// Finds a long chain of packets in one piece, wherever it begins.
  private static func longChain(_ bytes: RawSpan) -> MessagesMidstream? {
    for start in 0..<bytes.byteCount where bytes.byte(at: start) >= 0x10 {
      let chain = MQTTSearch.chain(bytes, from: start, to: .unknown, level: 0)
      let length = bytes.byteCount - start
      if chain.isCertain { return MessagesMidstream(direction: .toServer, length: length) }
      if chain.isUnbroken && chain.packets >= 5 && chain.weight > chain.packets {
        return MessagesMidstream(direction: chain.direction, length: length)
      }
    }
    return nil
  }

  /// How many ends of the chain coincide with segment boundaries.
  private static func borders(_ held: ResyncBuffer, from start: Int, to end: Int) -> Int {
    var count = held.isBorder(start, .start) ? 1 : 0
    if end == held.count && held.isBorder(end, .end) { count += 1 }
    return count + (held.pieceCount > 1 && count == 2 ? 1 : 0)
  }
}
