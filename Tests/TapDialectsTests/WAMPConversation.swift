// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTesting
import TapTraffic

/// One WAMP message as it was reported, with everything that tests look at.
struct RecordedMessage {
  var message: Message
  var bytes: [UInt8]
  var notes: [Note]

  var name: String { message.name.description }

  func text(_ range: ByteRange) -> String {
    String(decoding: bytes[range.start..<range.end], as: Unicode.UTF8.self)
  }

  /// `opens request 7 @48`: role, word, key, space; router scope as `@200r`.
  var links: [String] {
    [message.first, message.second, message.third].filter { $0.role != .none }.map {
      "\($0.role) \($0.word) \($0.key) @\($0.space)\($0.scope == .router ? "r" : "")"
    }
  }

  var shown: [String] { notes.map { "\($0.kind) \($0.word) \(text($0.range))" } }

  /// Payload and keywords.
  var payload: [String] {
    [message.payload, message.keywords].filter { !$0.isEmpty }.map { text($0) }
  }
}

/// A WAMP conversation, and what the layer reported of it.
final class WAMPConversation {
  let recorder = Recorder()
  private(set) var reported: [RecordedMessage] = []
  private var layer: any Layer

  init(
    _ dialect: any Dialect = WAMPDialect(), subprotocol: String = "wamp.2.json",
    isFromStart: Bool = true, isLocal: Bool = false, limits: Limits = Limits()
  ) {
    var opening = opening(subprotocol)
    if isLocal {
      opening.client = Endpoint(address: [127, 0, 0, 1], port: 1)
      opening.server = opening.client
    }
    opening.isFromStart = isFromStart
    layer = dialect.layer(opening, RunContext(limits: limits))
    recorder.onMessage = { [unowned self] message, bytes, notes in
      reported.append(RecordedMessage(message: message, bytes: bytes, notes: notes))
    }
  }

  @discardableResult
  func say(
    _ text: String, _ direction: Direction = .unknown, kind: Delivery.Kind = .text,
    record: UInt64 = 0
  ) -> RecordedMessage? {
    say(Array(text.utf8), direction, kind: kind, record: record)
  }

  @discardableResult
  func say(
    _ bytes: [UInt8], _ direction: Direction = .unknown, kind: Delivery.Kind = .binary,
    record: UInt64 = 0
  ) -> RecordedMessage? {
    say(bytes, Delivery(Origin(record: record, direction: direction), kind))
  }

  @discardableResult
  func say(_ bytes: [UInt8], _ delivery: Delivery) -> RecordedMessage? {
    let before = reported.count
    layer.receive(bytes.span.bytes, delivery, recorder)
    return reported.count == before + 1 ? reported.last : nil
  }

  func gap(_ direction: Direction) {
    layer.gap(nil, Delivery(Origin(direction: direction)), recorder)
  }

  func finish(_ ending: Ending) { layer.finish(ending, Delivery(Origin()), recorder) }
}

func opening(_ subprotocol: String) -> Opening {
  let end = Endpoint(address: [10, 0, 0, 7], port: 1)
  var opening = Opening(.webSocket, client: end, server: end, isFromStart: true)
  opening.subprotocol = Array(subprotocol.utf8)
  return opening
}

extension Dialect {
  /// How much it recognises the first message of a conversation; `certain` where the handshake
  /// says that it is spoken.
  func claim(_ opening: Opening, _ first: RawSpan, _ kind: Delivery.Kind) -> Claim {
    if isNegotiated(opening) { return .certain }
    var recogniser = recogniser(limits: Limits(), SharedScan(limits: Limits()))
    let place = Recognition.Context.conversation(opening, isFirst: true)
    switch recogniser.recognise(first, kind, in: place).grade {
    case .none: return .no
    case .general: return .general
    case .possible: return .possible
    case .likely: return .likely
    }
  }

  /// Why it refuses a text that was pasted; nil when it does not.
  func refusal(of pasted: RawSpan, isSpoken: Bool) -> String? {
    var recogniser = recogniser(limits: Limits(), SharedScan(limits: Limits()))
    let place = Recognition.Context.paste(isSpoken: isSpoken)
    let found = recogniser.recognise(pasted, .text, in: place)
    return found.grade == .none ? recogniser.refusal(of: pasted) : nil
  }
}

enum Claim { case no, general, possible, likely, certain }
