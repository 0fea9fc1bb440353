// SPDX-License-Identifier: Apache-2.0
public import TapBytes
import TapEncodings
public import TapTraffic

/// One JSON object a line, version 1 of the contract in `man/wamptap-ndjson.5`.
public struct NDJSONRenderer: Renderer {
  /// `,"origin":{"input":"…"` of each input, by number.
  private let origins: [ContiguousArray<UInt8>]
  private let source: @Sendable (Finding.Code) -> String
  /// How deeply the JSON of bodies may be nested.
  let nesting: Int
  private var time = TimeText()
  private var namings = ContiguousArray<NamedValue>()
  /// Whether the message that comes next matches the filter is not known.
  private var isDoubted = false
  private var realms: NDJSONRealms
  /// Whether the elements of each message are written by their names.
  private let showsFields: Bool

  /// - Parameters:
  ///   - inputs: the names of the inputs as typed, by number.
  ///   - showsFields: write the elements of each message by their names, too.
  ///   - source: the place in a specification of the rule that findings of a code are about.
  public init(
    inputs: [String], limits: Limits = Limits(), showsFields: Bool = false,
    source: @escaping @Sendable (Finding.Code) -> String = { _ in "" }
  ) {
    (self.source, nesting) = (source, limits.sharedNesting)
    (self.showsFields, realms) = (showsFields, NDJSONRealms(limits: limits))
    origins = (inputs.isEmpty ? [""] : inputs).map { name in
      var text = TextBuffer(capacity: 256)
      text.append(#","origin":{"input":"#)
      text.append(jsonString: name)
      return ContiguousArray(text.bytes.copied())
    }
  }

  public mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    text.append(#"{"event":"connection","state":"opened","connection":"#)
    text.append(decimal: UInt64(connection))
    append(time: delivery.origin, &text)
    text.append(#","client":"#)
    append(opening.client, &text)
    text.append(#","server":"#)
    append(opening.server, &text)
    text.append(#","url":"#)
    append(known: opening.url, &text)
    text.append(#","subprotocol":"#)
    append(known: opening.subprotocol, &text)
    text.append(#","extensions":["#)
    for (index, name) in opening.extensions.enumerated() {
      if index > 0 { text.append(",") }
      text.append(jsonString: name.span.bytes)
    }
    text.append("]")
    if opening.carrier == .rawSocket {
      text.append(#","carrier":"rawsocket""#)
      append(mostOctets: opening.mostOctets, &text)
    }
    if opening.carrier == .http { text.append(#","carrier":"http""#) }
    if let security = opening.security { append(security, &text) }
    if !opening.provenance.writer.isEmpty {
      text.append(#","writer":"#)
      text.append(jsonString: opening.provenance.writer.span.bytes)
    }
    append(origin: delivery.origin, &text)
    text.append("}\n")
  }

  private func append(_ security: Opening.Security, _ text: inout TextBuffer) {
    text.append(#","tls":{"version":"#)
    text.append(jsonString: security.version)
    text.append(#","cipherSuite":"#)
    append(known: Array(security.cipherSuite.utf8), &text)
    text.append(#","serverName":"#)
    append(known: security.serverName, &text)
    text.append(#","alpn":"#)
    append(known: security.applicationProtocol, &text)
    text.append("}")
  }

  public var wishes: Detail.Wishes { showsFields ? [.details, .outline] : [] }

  public mutating func named(_ namings: ContiguousArray<NamedValue>) { self.namings = namings }

  public mutating func doubted() { isDoubted = true }

  public mutating func message(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>,
    subject: RawSpan, into text: inout TextBuffer
  ) -> Bool {
    text.append(#"{"event":"message","index":"#)
    text.append(decimal: joined.index)
    text.append(#","connection":"#)
    append(connection: joined.connection, &text)
    append(time: message.origin, &text)
    switch message.origin.direction {
    case .toServer: text.append(#","direction":"toServer","protocol":""#)
    case .toClient: text.append(#","direction":"toClient","protocol":""#)
    case .unknown: text.append(#","direction":"unknown","protocol":""#)
    }
    text.append(message.dialect)
    text.append(#"","name":""#)
    text.append(symbol: message.name)
    text.append(#"","ids":{"#)
    append(ids: message, bytes, notes, &text)
    text.append("}")
    if !subject.isEmpty {
      text.append(#","subject":"#)
      text.append(jsonString: subject)
    }
    realms.note(message, joined, bytes)
    realms.append(message, joined, to: &text)
    if message.traits.contains(.isFailure) { append(error: message, bytes, &text) }
    append(inferred: message, joined, notes, hasSubject: !subject.isEmpty, &text)
    if !namings.isEmpty { NamingText.appendJSON(&namings, &text) }
    if isDoubted {
      text.append(#","maybe":true"#)
      isDoubted = false
    }
    if joined.answers > 0 {
      text.append(#","answers":"#)
      text.append(decimal: joined.answers)
    }
    if joined.carries > 0 {
      text.append(#","carries":"#)
      text.append(decimal: joined.carries)
    }
    append(latency: joined, min(message.origin.precision, joined.precision), &text)
    append(body: message, bytes, &text)
    if message.traits.contains(.isPartial) {
      // What “·” may stand for.
      let isAny = message.traits.contains(.hidesText)
      text.append(isAny ? #","unknownBytes":"any""# : #","unknownBytes":"nonASCII""#)
    }
    append(origin: message.origin, &text)
    // Its details follow.
    if !showsFields { text.append("}\n") }
    return true
  }

  public mutating func detail(
    _ detail: Detail, _ message: Message, _ joined: Joined, _ bytes: RawSpan, subject: RawSpan,
    into text: inout TextBuffer
  ) {
    guard showsFields else { return }
    text.append(#","fields":"#)
    let fields = NDJSONFields(message: message, nesting: nesting)
    fields.append(detail.branches.span, bytes, to: &text)
    text.append("}\n")
  }

  public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    text.append(#"{"event":"finding","code":""#)
    text.append(finding.code.text)
    text.append(#"","severity":""#)
    text.append(finding.severity.name)
    text.append(#"","text":"#)
    text.append(jsonString: finding.text)
    let source = finding.source.isEmpty ? source(finding.code) : finding.source
    if !source.isEmpty {
      text.append(#","source":"#)
      text.append(jsonString: source)
    }
    if finding.isSecurity { text.append(#","security":true"#) }
    if let sealed = finding.sealed {
      text.append(#","client":""#)
      sealed.client.append(to: &text)
      text.append(#"","server":""#)
      sealed.server.append(to: &text)
      text.append("\"")
      append(sealed.security, &text)
    }
    text.append(#","connection":"#)
    append(connection: connection, &text)
    append(time: finding.origin, &text)
    text.append(#","messages":["#)
    for (index, message) in messages.enumerated() {
      if index > 0 { text.append(",") }
      text.append(decimal: message)
    }
    text.append("]")
    append(origin: finding.origin, &text)
    text.append("}\n")
  }

  public mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    text.append(#"{"event":"connection","state":""#)
    text.append(closing.isUnfinished ? "unfinished" : "closed")
    text.append(#"","connection":"#)
    text.append(decimal: UInt64(connection))
    append(time: delivery.origin, &text)
    switch closing.by {
    case .toServer: text.append(#","by":"client","code":"#)
    case .toClient: text.append(#","by":"server","code":"#)
    case .unknown: text.append(#","by":null,"code":"#)
    }
    if let code = closing.code {
      text.append(decimal: UInt64(code))
      text.append(#","reason":"#)
      text.append(jsonString: closing.reason.span.bytes)
    } else {
      text.append(#"null,"reason":null"#)
    }
    realms.closed(connection)
    if closing.isReset { text.append(#","reset":true"#) }
    if closing.transportEnd.utf8CodeUnitCount > 0 {
      text.append(#","transport":""#)
      text.append(closing.transportEnd)
      text.append("\"")
    }
    if !closing.transports.isEmpty { append(transports: closing.transports, &text) }
    text.append("}\n")
  }

  /// What has carried a session, in the order in which it was used.
  private func append(transports: [StaticString], _ text: inout TextBuffer) {
    text.append(#","transports":["#)
    for (index, transport) in transports.enumerated() {
      text.append(index == 0 ? "\"" : #",""#)
      text.append(transport)
      text.append("\"")
    }
    text.append("]")
  }

  public mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    text.append(#"{"event":"summary","connections":"#)
    text.append(decimal: summary.connections)
    text.append(#","messages":"#)
    text.append(decimal: summary.messages)
    text.append(#","controlFrames":"#)
    text.append(decimal: summary.controlFrames)
    text.append(#","findings":{"error":"#)
    text.append(decimal: summary.errors)
    text.append(#","warning":"#)
    text.append(decimal: summary.warnings)
    text.append(#","note":"#)
    text.append(decimal: summary.notes)
    text.append(#"},"lost":{"bytes":"#)
    text.append(decimal: summary.lostBytes)
    text.append(#","messages":"#)
    text.append(decimal: summary.lostMessages)
    text.append(#"},"untoldFindings":"#)
    text.append(decimal: summary.untoldFindings)
    text.append(#","evicted":"#)
    text.append(decimal: summary.evicted)
    switch summary.stop {
    case .count: text.append(#","stopped":"count""#)
    case .interrupt: text.append(#","stopped":"interrupt""#)
    case .time: text.append(#","stopped":"time""#)
    case nil: break
    }
    append(captures: summary.captures, &text)
    text.append(#","counts":{"#)
    for (index, thing) in Counter.allCases.enumerated() {
      text.append(index > 0 ? ",\"" : "\"")
      text.append(thing.name)
      text.append("\":")
      text.append(decimal: summary[thing])
    }
    text.append(#"},"bytes":{"#)
    for (index, fate) in Fate.allCases.enumerated() {
      text.append(index > 0 ? ",\"" : "\"")
      text.append(fate.name)
      text.append("\":")
      text.append(decimal: summary[fate])
    }
    text.append("}}\n")
  }

  private func append(captures: [Summary.Capture], _ text: inout TextBuffer) {
    if captures.isEmpty { return }
    text.append(#","capture":"#)
    for (index, capture) in captures.enumerated() {
      text.append(index > 0 ? #",{"interface":"# : #"[{"interface":"#)
      text.append(jsonString: capture.interface)
      text.append(#","captured":"#)
      text.append(decimal: capture.captured)
      text.append(#","received":"#)
      text.append(decimal: capture.received)
      text.append(#","dropped":{"byKernel":"#)
      text.append(decimal: capture.droppedByKernel)
      text.append(#","byInterface":"#)
      text.append(decimal: capture.droppedByInterface)
      text.append(#","byProgram":"#)
      text.append(decimal: capture.droppedByProgram)
      text.append("}}")
    }
    text.append("]")
  }

  /// The longest message that each side takes, in bytes.
  private func append(mostOctets: Opening.MostOctets?, _ text: inout TextBuffer) {
    guard let mostOctets else { return }
    text.append(#","maximum":{"client":"#)
    append(number: mostOctets.toClient, &text)
    text.append(#","server":"#)
    append(number: mostOctets.toServer, &text)
    text.append("}")
  }

  private func append(number: Int?, _ text: inout TextBuffer) {
    if let number { text.append(decimal: UInt64(number)) } else { text.append("null") }
  }

  private func append(known value: [UInt8], _ text: inout TextBuffer) {
    if value.isEmpty { text.append("null") } else { text.append(jsonString: value.span.bytes) }
  }

  private func append(connection: UInt32, _ text: inout TextBuffer) {
    if connection == 0 { text.append("null") } else { text.append(decimal: UInt64(connection)) }
  }

  private mutating func append(time origin: Origin, _ text: inout TextBuffer) {
    guard origin.time.isKnown else { return text.append(#","time":null"#) }
    text.append(#","time":""#)
    time.append(utc: origin.time, precision: origin.precision, to: &text)
    text.append("\"")
  }

  private func append(
    ids message: Message, _ bytes: RawSpan, _ notes: Span<Note>, _ text: inout TextBuffer
  ) {
    if message.traits.contains(.bodyInNotes) { return }
    var isFirst = true
    for link in [message.first, message.second, message.third] where link.isShown {
      text.append(isFirst ? "\"" : ",\"")
      isFirst = false
      text.append(link.word)
      text.append("\":")
      text.append(decimal: link.key)
    }
    for index in notes.indices where notes[index].kind == .id {
      text.append(isFirst ? "\"" : ",\"")
      isFirst = false
      text.append(symbol: notes[index].word)
      text.append("\":")
      let range = notes[index].range
      let id = bytes[range]
      let isString = range.start > 0 && bytes.byte(at: range.start - 1) == UInt8(ascii: "\"")
      if message.traits.contains(.isJSON) && !isString {
        text.append(id)
      } else if message.traits.contains(.isJSON) && id.firstIndex(of: .backslash) != nil {
        text.append(jsonString: JSON.unescaped(id).span.bytes)
      } else {
        text.append(jsonString: id)
      }
    }
  }

  private func append(
    latency joined: Joined, _ precision: UInt8, _ text: inout TextBuffer
  ) {
    guard joined.latency >= 0 else { return }
    if let most = Latency.most(joined.latency, precision) {
      text.append(#","latencyAtMost":"#)
      TimeText.append(
        seconds: Int64(clamping: most), precision: 9, columns: 0, to: &text)
    } else {
      text.append(#","latency":"#)
      TimeText.append(seconds: joined.latency, precision: 9, columns: 0, to: &text)
    }
    TextLayout.removeTrailingZeros(&text)
  }

  private func append(_ endpoint: Endpoint, _ text: inout TextBuffer) {
    if !endpoint.isKnown { return text.append("null") }
    text.append("\"")
    endpoint.append(to: &text)
    text.append("\"")
  }

  private func append(origin: Origin, _ text: inout TextBuffer) {
    let name = origins[min(Int(origin.input), origins.count - 1)]
    text.append(name.span.bytes)
    if origin.record > 0 {
      text.append(origin.isLine ? #","line":"# : #","packet":"#)
      text.append(decimal: origin.record)
    }
    text.append("}")
  }
}
