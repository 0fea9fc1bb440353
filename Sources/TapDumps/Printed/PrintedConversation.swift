// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// A TCP connection in a text that shows bytes as dots. What servers send by WebSocket can be read
/// as far as it is ASCII; what clients send is masked.
struct PrintedConversation {
  let flow: UInt32
  /// As the dump names the two ends: who spoke first stands first, until something says who is the
  /// client.
  private(set) var names: (client: [UInt8], server: [UInt8])
  private var streams: (up: PrintedStream, down: PrintedStream) = (PrintedStream(), PrintedStream())
  private var (request, response): ([UInt8], [UInt8]) = ([], [])
  private var isSideKnown = false
  private var carrier: Opening.Carrier?
  /// The messages of a batch end with a byte.
  private var isBatched = false
  /// What both sides sent stands in one stream.
  private let isMixed: Bool
  private(set) var last: Origin
  let number: Int

  init(
    _ flow: UInt32, _ number: Int, from source: [UInt8], to destination: [UInt8], _ origin: Origin,
    isMixed: Bool = false
  ) {
    (self.flow, self.number, last, self.isMixed) = (flow, number, origin, isMixed)
    names = (source, destination)
  }

  /// Bytes that are kept.
  var held: Int { streams.up.held + streams.down.held }

  mutating func receive(
    _ head: PrintedHead, _ payload: ArraySlice<UInt8>?, _ origin: Origin,
    _ printed: inout PrintedSink
  ) {
    if head.length ?? 0 == 0 { last = origin }
    if head.isSyn && !isSideKnown {
      settle(client: head.hasAcknowledgment ? head.destination : head.source)
    }
    if let length = head.length, length > 0 {
      let isUp = head.source == names.client
      receive(payload, head.sequence, length, origin, isUp: isUp, &printed)
    }
  }

  mutating func receive(
    _ payload: ArraySlice<UInt8>?, _ sequence: UInt32?, _ length: Int, _ origin: Origin,
    isUp: Bool, _ printed: inout PrintedSink
  ) {
    last = origin
    if isUp {
      streams.up.receive(payload, sequence, length, origin)
    } else {
      streams.down.receive(payload, sequence, length, origin)
    }
    drain(isUp: isUp, &printed)
    skip(isUp: isUp, isEnd: false, &printed)
  }

  /// Goes on behind what is missing.
  private mutating func skip(isUp: Bool, isEnd: Bool, _ printed: inout PrintedSink) {
    while isUp ? streams.up.skip(isEnd: isEnd) : streams.down.skip(isEnd: isEnd) {
      drain(isUp: isUp, &printed)
    }
  }

  /// More than can be kept waits: it is given up.
  mutating func drop(_ printed: inout PrintedSink) {
    for isUp in [true, false] {
      if isUp { streams.up.lose() } else { streams.down.lose() }
      drain(isUp: isUp, &printed)
    }
  }

  mutating func finish(_ printed: inout PrintedSink) {
    for isUp in [true, false] { skip(isUp: isUp, isEnd: true, &printed) }
    let (up, down) = (streams.up.octets, streams.down.octets)
    printed.end(
      flow, isOpen: carrier != nil, unread: up.sent + down.sent - up.read - down.read, last)
  }

  private mutating func settle(client: [UInt8]) {
    isSideKnown = true
    if client != names.client { exchange() }
  }

  /// It is the other side that is the client.
  private mutating func exchange() {
    names = (names.server, names.client)
    streams = (streams.down, streams.up)
  }

  private mutating func drain(isUp: Bool, _ printed: inout PrintedSink) {
    var isUp = isUp
    while true {
      let forms: [PrintedList.Header] =
        switch carrier {
        case .webSocket: [.short, .medium, .long]
        case .rawSocket: [.raw]
        default: response.isEmpty ? PrintedList.Header.allCases : [.short, .medium, .long]
        }
      let most = printed.limits.headBytes
      let suffix = isBatched ? 1 : 0
      let isMessage = { [isMixed, isAccepted, recogniser = printed.recogniser] (text: [UInt8]) in
        // In one stream of both sides, nothing says where a segment ends.
        !isMixed
          && Self.recognise(Self.marked(text).text, isAccepted, recogniser).grade != .none
      }
      let found =
        isUp
        ? streams.up.take(forms, suffix: suffix, most: most, isMessage: isMessage)
        : streams.down.take(forms, suffix: suffix, most: most, isMessage: isMessage)
      let hasGap = isUp ? streams.up.takeGap() : streams.down.takeGap()
      // In one stream of both sides, what stands between messages is of the other side, too.
      if hasGap && carrier != nil && !isMixed {
        printed.gap(flow, isUp ? .toServer : .toClient, last)
      }
      guard let (part, origin) = found else { return }
      switch part {
      case .head(let head): isUp = take(head, isUp: isUp)
      case .message(let text, let header, let isAtBorder):
        // Without other evidence, it is RawSocket only if its header stands where one has to.
        if header == .raw && carrier == nil && !isAtBorder { continue }
        isUp = report(text, header, origin, isUp: isUp, &printed)
      }
    }
  }

  /// A head of HTTP; returns whether it goes to the server, which may show only now.
  private mutating func take(_ head: [UInt8], isUp: Bool) -> Bool {
    let isRequest = head.starts(with: "GET ".utf8)
    // Both sides in one: what follows is found as what the server sent.
    if isRequest != isUp && !isMixed { exchange() }
    isSideKnown = true
    let lines = head.filter { $0 != .carriageReturn }
    if isRequest { request = lines } else { response = lines }
    if !isRequest, let protocols = PrintedConversation.field("sec-websocket-protocol", lines) {
      isBatched = protocols.suffix(8).elementsEqual(".batched".utf8)
    }
    return isMixed ? isUp : isRequest
  }

  /// A message; returns whether it goes to the server, which may show only now.
  private mutating func report(
    _ text: [UInt8], _ header: PrintedList.Header, _ origin: Origin, isUp: Bool,
    _ printed: inout PrintedSink
  ) -> Bool {
    var isUp = isUp
    let (marked, unknown, certain) = Self.marked(text)
    let recognition = Self.recognise(marked, isAccepted, printed.recogniser)
    if recognition.grade == .none { return isUp }
    if carrier == nil {
      carrier = header == .raw ? .rawSocket : .webSocket
      // Of WebSocket, only servers send what is not masked.
      let isFromServer =
        header != .raw
        || (recognition.direction == .unknown ? !isUp : recognition.direction == .toClient)
      if !isSideKnown && isFromServer == isUp {
        exchange()
        isUp.toggle()
      }
      isSideKnown = true
      printed.open(flow, opening, origin)
    }
    printed.report(
      flow, marked, unknown: unknown, certain: certain, isUp ? .toServer : .toClient, origin)
    return isUp
  }

  /// - Parameter isAccepted: it is of a connection that the server has switched to WebSocket, so
  ///   that any JSON object is a message.
  private static func recognise(
    _ text: [UInt8], _ isAccepted: Bool, _ recogniser: any TextRecogniser
  ) -> Recognition {
    let found = recogniser.recognise(text.span.bytes, .text)
    if found.grade != .none || !isAccepted || text.first == .openBracket { return found }
    return recogniser.recognise(packet: text.span.bytes)
      ?? recogniser.recognise(sent: text.span.bytes, .text)
  }

  /// The server has switched protocols.
  private var isAccepted: Bool { response.starts(with: "HTTP/1.1 101".utf8) }

  private var opening: Opening {
    var opening = Opening(
      carrier ?? .webSocket, client: PrintedConversation.endpoint(names.client),
      server: PrintedConversation.endpoint(names.server), isFromStart: false)
    (opening.request, opening.response) = isAccepted ? (request, response) : ([], [])
    if isAccepted, let host = PrintedConversation.field("host", request) {
      let target = request.split(separator: .space, maxSplits: 2)
      opening.url = Array("ws://".utf8) + host + (target.count > 1 ? Array(target[1]) : [])
    }
    if carrier == .rawSocket { opening.subprotocol = Array("wamp.2.json".utf8) }
    opening.provenance.writer = Array("text of a dump".utf8)
    if !opening.client.isKnown {
      let ends = names.client.isEmpty ? [] : names.client + Array(" → ".utf8) + names.server
      if !ends.isEmpty { opening.provenance.writer += [0x2C, 0x20] + ends }
    }
    return opening
  }
}
