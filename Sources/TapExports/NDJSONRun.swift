// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// A run of this program as its NDJSON describes it: connections, messages in order, and what was
/// lost.
struct NDJSONRun {
  /// A connection, with the number of our conversation.
  private struct Flow {
    var number: UInt32
    /// How often messages that may be of it had been missing when it last had a line (`missed`).
    var misses: Int
    /// A session that HTTP carries, over any number of connections.
    var isOverHTTP = false
    /// The third revision of Engine.IO, if any (`EIO=3` in its URL).
    var isThirdRevision = false
    /// What is said stands in frames of SockJS.
    var isSockJS = false
  }

  private let limits: Limits
  private let recogniser: any TextRecogniser
  private let earlier: @Sendable (String) -> EarlierFinding
  /// By the number of the connection in the NDJSON.
  private var flows: [Int64: Flow] = [:]
  /// How often messages were missing, of whichever connection; and of whichever session over HTTP.
  private var misses = 0
  private var sessionMisses = 0
  private var lastFlow: UInt32 = 0
  /// A connection that is reported with the next line, which may say that its handshake is missing.
  private var waiting: (number: Int64, opening: Opening, origin: Origin)?
  /// The index of the message that was reported last.
  private var index: Int64 = 0
  private var unrepeated = UnrepeatedFindings()

  init(_ choice: InputChoice, _ limits: Limits) {
    (self.limits, recogniser, earlier) = (limits, choice.recogniser(), choice.earlierFinding)
  }

  mutating func take(_ line: NDJSONLine, _ origin: Origin, _ sink: any EvidenceSink) {
    var origin = origin
    origin.precision = line.time?.digits ?? 0
    origin.direction = line.isDirectionInferred ? .unknown : line.direction
    reportWaiting(line, sink)
    switch line.event {
    case .message: message(line, origin, sink)
    case .connection:
      guard let number = line.connection else { return }
      if line.state.elementsEqual("opened".utf8) {
        waiting = (number, line.opening, origin)
      } else {
        close(number, line.closing, origin, sink)
      }
    case .finding:
      let code = String(decoding: line.code, as: Unicode.UTF8.self)
      let finding = earlier(code)
      let isNote = line.severity.elementsEqual("note".utf8)
      if let mixing = finding.mixing, !isNote {
        reportMixed(mixing, line, origin, sink)
      } else if !finding.isRepeatable {
        unrepeated.add(
          code, origin, isNote: isNote, isLoss: finding.isLoss && line.connection == nil)
      }
      guard finding.isLoss else { return }
      if let connection = line.connection {
        if let flow = flows[connection]?.number { gap(flow, origin, sink) }
      } else if code.hasSuffix(".body-incomplete") || code == "http.request-missing" {
        // Of a session over HTTP, and it is not known of which.
        sessionMisses += 1
      }
    case .summary: end(line, origin, sink)
    case nil: break
    }
  }

  /// The file ends.
  mutating func finish(_ sink: any EvidenceSink) {
    reportWaiting(nil, sink)
    unrepeated.report(sink)
  }

  /// The run could not tell apart what belongs to a connection.
  private func reportMixed(
    _ code: Finding.Code, _ line: NDJSONLine, _ origin: Origin, _ sink: any EvidenceSink
  ) {
    guard let flow = line.connection.flatMap({ flows[$0]?.number }) else { return }
    var origin = origin
    origin.flow = flow
    var finding = Finding(
      code, .warning, origin,
      "the run that wrote the NDJSON could not tell which messages belong to this connection and"
        + " which to another: an id that is open twice says nothing")
    finding.mixesSessions = true
    sink.finding(finding)
  }

  private mutating func reportWaiting(_ line: NDJSONLine?, _ sink: any EvidenceSink) {
    guard var held = waiting else { return }
    waiting = nil
    if line?.event == .finding, line?.connection == held.number,
      line?.code.reversed().starts(with: ".handshake-missing".utf8.reversed()) == true
    {
      (held.opening.isFromStart, held.opening.provenance.isWrittenWhole) = (false, false)
    }
    // Its first frames may be no more than `o`.
    if line?.connection == held.number, line?.dialect.elementsEqual("sockjs".utf8) == true {
      held.opening.provenance.dialect = "sockjs"
    }
    open(held.number, held.opening, held.origin, sink)
  }

  private mutating func open(
    _ number: Int64, _ opening: Opening, _ origin: Origin, _ sink: any EvidenceSink
  ) {
    close(number, Closing(isUnfinished: true), origin, sink)
    if flows.count >= limits.connections { evict(origin, sink) }
    lastFlow += 1
    var opening = opening
    // What was left out may have been of other connections, too.
    if misses + sessionMisses > 0 { opening.provenance.isWrittenWhole = false }
    let isOverHTTP = opening.url.starts(with: "http".utf8)
    flows[number] = Flow(
      number: lastFlow, misses: missed(isOverHTTP), isOverHTTP: isOverHTTP,
      isThirdRevision: opening.url.span.bytes.contains("EIO=3"))
    var origin = origin
    (origin.flow, origin.direction) = (lastFlow, .toServer)
    sink.opened(opening, Delivery(origin))
  }

  /// Too many are open: ends those that were opened first, an eighth at once.
  private mutating func evict(_ origin: Origin, _ sink: any EvidenceSink) {
    let oldest = flows.sorted { $0.value.number < $1.value.number }
      .prefix(max(1, flows.count / 8))
    for (number, _) in oldest { close(number, Closing(isUnfinished: true), origin, sink) }
    sink.finding(.evicted(oldest.count, limits, origin))
  }

  private mutating func close(
    _ number: Int64, _ closing: Closing, _ origin: Origin, _ sink: any EvidenceSink
  ) {
    reportMiss(number, origin, sink)
    guard let flow = flows.removeValue(forKey: number)?.number else { return }
    var origin = origin
    (origin.flow, origin.direction) = (flow, closing.by)
    sink.closed(closing, Delivery(origin))
  }

  /// Something was missing since this connection spoke last, and may have been of it.
  private mutating func reportMiss(_ number: Int64, _ origin: Origin, _ sink: any EvidenceSink) {
    guard let flow = flows[number] else { return }
    let missed = missed(flow.isOverHTTP)
    if flow.misses == missed { return }
    flows[number]!.misses = missed
    gap(flow.number, origin, sink)
  }

  /// How often messages were missing that may be of a connection.
  private func missed(_ isOverHTTP: Bool) -> Int { misses + (isOverHTTP ? sessionMisses : 0) }

  private func gap(_ flow: UInt32, _ origin: Origin, _ sink: any EvidenceSink) {
    for direction in [Direction.toServer, .toClient] {
      var origin = origin
      (origin.flow, origin.direction) = (flow, direction)
      sink.gap(nil, Delivery(origin))
    }
  }

  private mutating func message(_ line: NDJSONLine, _ origin: Origin, _ sink: any EvidenceSink) {
    follow(line.index, origin, sink)
    let origin = place(line, origin, sink)
    if line.isTooLarge { return reportTooLarge(origin, sink) }
    let isCarrier = ["websocket", "rawsocket", "tcp"].contains {
      line.dialect.elementsEqual($0.utf8)
    }
    if line.body.isEmpty || isCarrier {
      carrierMessage(line, origin, sink)
    } else if let sent = framed(line) {
      sink.message(sent.content.bytes, Delivery(origin, sent.isBinary ? .binary : .text))
      for attachment in sent.attachments {
        sink.message(attachment.span.bytes, Delivery(origin, .binary))
      }
    } else {
      dialectMessage(line, origin, sink)
    }
  }

  /// The message with its frame, where its dialect has some of its own.
  private mutating func framed(_ line: NDJSONLine) -> NDJSONFrames.Sent? {
    let frames = NDJSONFrames(limits)
    let flow = line.connection.flatMap { flows[$0] }
    let isThird = flow?.isThirdRevision ?? false
    if line.dialect.elementsEqual("engineio".utf8) {
      return frames.engineIO(line, isThirdRevision: isThird)
    }
    if line.dialect.elementsEqual("socketio".utf8) {
      return frames.socketIO(line, isThirdRevision: isThird)
    }
    if line.dialect.elementsEqual("sockjs".utf8) {
      if let number = line.connection { flows[number]?.isSockJS = true }
      return frames.sockJS(line)
    }
    guard flow?.isSockJS == true else { return nil }
    return frames.inSockJS(line.body.bytes, line.direction)
  }

  /// The origin of a message, in the conversation of its connection.
  private mutating func place(
    _ line: NDJSONLine, _ origin: Origin, _ sink: any EvidenceSink
  ) -> Origin {
    guard let number = line.connection else { return origin }
    if flows[number] == nil {
      // Its line was left out.
      var opening = line.opening
      (opening.isFromStart, opening.provenance.isWrittenWhole) = (false, false)
      open(number, opening, origin, sink)
    }
    reportMiss(number, origin, sink)
    var origin = origin
    origin.flow = flows[number]!.number
    return origin
  }

  private func reportTooLarge(_ origin: Origin, _ sink: any EvidenceSink) {
    var finding = Finding(
      .exportMessageTooLarge, .warning, origin,
      "a message is larger than the limit; it is not shown")
    finding.lostMessages = 1
    sink.finding(finding)
    gap(origin.flow, origin, sink)
  }

  /// A message that its dialect has read: the body is what was sent, but for the exceptions here.
  private func dialectMessage(_ line: NDJSONLine, _ origin: Origin, _ sink: any EvidenceSink) {
    // What was sent is in `raw` where not every reader would take it as a body.
    if !line.raw.isEmpty, let sent = NDJSONBody(line.raw.bytes, limit: limits.messageBytes).text {
      return sink.message(sent.span.bytes, Delivery(origin, .text))
    }
    if line.dialect.elementsEqual("mqtt".utf8) {
      return sink.message(Self.mqttPacket(line).bytes, Delivery(origin, .text))
    }
    if !lacksMembers(line.body.bytes) {
      return sink.message(line.body.bytes, Delivery(origin, .text))
    }
    sink.message(line.body.bytes, Delivery(origin, .abridged))
    reportAbridged(origin, sink)
  }

  /// The body of MQTT has neither the name of the packet nor its ids.
  private static func mqttPacket(_ line: NDJSONLine) -> Scratch {
    var text = Scratch()
    text.append(#"{"mqtt":""#)
    text.append(line.name.span.bytes)
    text.append(#"","ids":"#)
    if line.ids.isEmpty { text.append("{}") } else { text.append(line.ids.bytes) }
    text.append(#","body":"#)
    text.append(line.body.bytes)
    text.append("}")
    return text
  }

  /// A control frame, or a message that no dialect has read.
  private func carrierMessage(_ line: NDJSONLine, _ origin: Origin, _ sink: any EvidenceSink) {
    let value = NDJSONBody(
      line.body.isEmpty ? line.raw.bytes : line.body.bytes, limit: limits.messageBytes)
    let name = String(decoding: line.name, as: Unicode.UTF8.self)
    let content = value.text ?? value.octets ?? []
    switch name {
    case "PING": sink.control(.ping, content.span.bytes, Delivery(origin, .binary))
    case "PONG": sink.control(.pong, content.span.bytes, Delivery(origin, .binary))
    case "CLOSE": sink.control(.close, value.closePayload.span.bytes, Delivery(origin, .binary))
    case _ where !line.body.isEmpty && Self.isWithheld(content),
      "BINARY" where value.octets == nil:
      // Masked as a whole.
      sink.message(content.span.bytes, Delivery(origin, .withheld))
    default:
      if line.body.isEmpty, value.text != nil, let known = Self.firstUnknown(in: content) {
        var delivery = Delivery(origin, line.isDotted ? .dottedText : .partialText)
        delivery.certainBytes = UInt32(clamping: known)
        return sink.message(content.span.bytes, delivery)
      }
      if line.body.isEmpty, let octets = value.octets, Self.isBrokenText(octets.span.bytes) {
        return sink.message(octets.span.bytes, Delivery(origin, .brokenText))
      }
      let isText = value.octets == nil || name == "TEXT"
      let isAbridged =
        value.text != nil && isAbridged(content.span.bytes, isBody: !line.body.isEmpty)
      sink.message(
        content.span.bytes, Delivery(origin, isAbridged ? .abridged : isText ? .text : .binary))
      if isAbridged { reportAbridged(origin, sink) }
    }
  }

  private func reportAbridged(_ origin: Origin, _ sink: any EvidenceSink) {
    sink.finding(
      .logAbridged, .note, origin, "part of this message was left out when it was logged",
      isAboutLastMessage: true)
  }

  /// Whether an object reads as a message only if members are missing: Lua prints none that are
  /// nil. What is left of one is short.
  private func lacksMembers(_ body: RawSpan) -> Bool {
    body.byteCount < 128 && body.byte(at: 0) == .openBrace
      && recogniser.recognise(body, .text).grade == .none
      && recogniser.recognise(body, .abridged).grade == .likely
  }

  /// Whether bytes that are no body look like JSON with invalid UTF-8 in it: any other message that
  /// has a name has JSON as its body.
  private static func isBrokenText(_ octets: RawSpan) -> Bool {
    let first = octets.isEmpty ? 0 : octets.byte(at: 0)
    return (first == .openBracket || first == .openBrace) && UTF8.firstInvalid(in: octets) != nil
  }

  /// Whether a text lacks something, for which `…` may stand: what is whole and reads as a message,
  /// or as JSON, is reported by its dialect.
  private func isAbridged(_ text: RawSpan, isBody: Bool) -> Bool {
    let mayBeMessage = recogniser.recognise(text, .abridged).grade != .none
    if text.contains("…") {
      return mayBeMessage || text.byte(at: 0) == .openBracket || text.byte(at: 0) == .openBrace
    }
    return !isBody && mayBeMessage && recogniser.recognise(text, .text).grade != .none
  }

  /// Where the first unknown byte stands in a message that is no JSON because of it.
  private static func firstUnknown(in content: [UInt8]) -> Int? {
    // The known part of a payload is masked together with the unknown one.
    ["·", "\"<incomplete, ", "<withheld, "].compactMap {
      content.firstRange(of: Array($0.utf8))?.lowerBound
    }.min()
  }

  /// Whether nothing of a text is shown: `<withheld, 119 bytes>`.
  private static func isWithheld(_ content: [UInt8]) -> Bool {
    let mark = "<withheld, ".utf8
    return content.starts(with: mark)
      && content.dropFirst(mark.count).drop { $0.isDigit }.elementsEqual(" bytes>".utf8)
  }

  /// Messages are numbered: it shows when some were left out.
  private mutating func follow(_ number: Int64?, _ origin: Origin, _ sink: any EvidenceSink) {
    guard let number else { return }
    defer { index = number }
    // A run behind another begins anew.
    let missing = number - index - 1
    if missing <= 0 { return }
    var finding = Finding(
      .ndjsonMissing, .note, origin,
      "\(counted(missing, "message")) before this one \(missing == 1 ? "is" : "are") not"
        + " in the NDJSON")
    finding.lostMessages = UInt64(missing)
    sink.finding(finding)
    misses += 1
  }

  /// The end of a run: reports the losses that its summary names.
  private mutating func end(_ line: NDJSONLine, _ origin: Origin, _ sink: any EvidenceSink) {
    for number in flows.keys.sorted() {
      close(number, Closing(isUnfinished: true), origin, sink)
    }
    index = 0
    unrepeated.report(sink)
    if line.lostBytes == 0 && line.lostMessages == 0 { return }
    let bytes =
      line.lostBytes > 0 ? "\(counted(line.lostBytes, "byte")) of its input, " : ""
    var finding = Finding(
      .ndjsonLost, .warning, origin,
      "the run that wrote the NDJSON lacked \(bytes)about"
        + " \(counted(line.lostMessages, "message"))")
    (finding.lostBytes, finding.lostMessages) = (line.lostBytes, line.lostMessages)
    sink.finding(finding)
  }
}

extension Finding.Code {
  static let ndjsonMissing: Finding.Code = "ndjson.messages-missing"
  static let ndjsonLost: Finding.Code = "ndjson.lost"
}
