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
  private var isPossibleMatch = false
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
    text.append(#"{"event":"connection","state":"opened""#)
    text.member("connection", UInt64(connection))
    append(time: delivery.origin, &text)
    text.member("client", opening.client)
    text.member("server", opening.server)
    text.member("url", known: opening.url)
    text.member("subprotocol", known: opening.subprotocol)
    text.list("extensions", of: opening.extensions) { $1.append(jsonString: $0.span.bytes) }
    if opening.carrier == .rawSocket {
      text.member("carrier", word: "rawsocket")
      append(mostOctets: opening.mostOctets, &text)
    }
    if opening.carrier == .http { text.member("carrier", word: "http") }
    if let security = opening.security { append(security, &text) }
    if !opening.provenance.writer.isEmpty {
      text.member("writer", opening.provenance.writer.span.bytes)
    }
    if opening.provenance.isOfOneEnd { text.member("oneEnd", true) }
    append(origin: delivery.origin, &text)
    text.append("}\n")
  }

  private func append(_ security: Opening.Security, _ text: inout TextBuffer) {
    text.object("tls") {
      $0.member("version", security.version)
      $0.member("cipherSuite", known: Array(security.cipherSuite.utf8))
      $0.member("serverName", known: security.serverName)
      $0.member("alpn", known: security.applicationProtocol)
    }
  }

  public var wishes: Detail.Wishes { showsFields ? [.details, .outline, .hidden] : [.hidden] }

  public mutating func named(_ namings: ContiguousArray<NamedValue>) { self.namings = namings }

  public mutating func nextMayMatch() { isPossibleMatch = true }

  public mutating func hidden(_ message: Message, _ view: MessageView) {
    realms.note(message, view)
  }

  public mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    // What each message has is written in pieces that are longer than a member: that is faster.
    text.append(#"{"event":"message","index":"#)
    text.append(decimal: view.joined.index)
    text.append(#","connection":"#)
    if view.joined.connection == 0 {
      text.append("null")
    } else {
      text.append(decimal: UInt64(view.joined.connection))
    }
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
    append(ids: message, view, &text)
    text.append("}")
    if !view.subject.isEmpty {
      text.append(#","subject":"#)
      text.append(jsonString: view.subject)
    }
    realms.note(message, view)
    realms.append(message, view, to: &text)
    if message.traits.contains(.isFailure) { append(error: message, view, &text) }
    append(inferred: message, view, &text)
    if !namings.isEmpty { NamingText.appendJSON(&namings, &text) }
    if isPossibleMatch {
      text.member("maybe", true)
      isPossibleMatch = false
    }
    if view.joined.answers > 0 {
      text.append(#","answers":"#)
      text.append(decimal: view.joined.answers)
    }
    if view.joined.carries > 0 {
      text.append(#","carries":"#)
      text.append(decimal: view.joined.carries)
    }
    append(
      latency: view.joined, min(message.origin.precision, view.joined.precision), &text)
    append(body: message, view.bytes, &text)
    if message.traits.contains(.isPartial) {
      // What “·” may stand for.
      let isAny = message.traits.contains(.hidesText)
      text.member("unknownBytes", word: isAny ? "any" : "nonASCII")
    }
    append(origin: message.origin, &text)
    // Its details follow.
    if !showsFields { text.append("}\n") }
    return true
  }

  public mutating func detail(
    _ detail: Detail, _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) {
    guard showsFields else { return }
    text.append(#","fields":"#)
    let fields = NDJSONFields(message: message, nesting: nesting)
    fields.append(detail.rows.span, view.bytes, to: &text)
    text.append("}\n")
  }

  public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    text.append(#"{"event":"finding""#)
    text.member("code", word: finding.code.text)
    text.member("severity", word: finding.severity.name)
    text.member("text", finding.text)
    let source = finding.source.isEmpty ? source(finding.code) : finding.source
    if !source.isEmpty { text.member("source", source) }
    if finding.isSecurity { text.member("security", true) }
    if let sealed = finding.sealed {
      text.member("client", sealed.client)
      text.member("server", sealed.server)
      append(sealed.security, &text)
    }
    text.member(connection: connection)
    append(time: finding.origin, &text)
    text.list("messages", of: messages) { $1.append(decimal: $0) }
    append(origin: finding.origin, &text)
    text.append("}\n")
  }

  public mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    text.append(#"{"event":"connection""#)
    text.member("state", word: closing.isUnfinished ? "unfinished" : "closed")
    text.member("connection", UInt64(connection))
    append(time: delivery.origin, &text)
    text.member(by: closing.by)
    text.member("code", closing.code.map { UInt64($0) })
    if closing.code != nil {
      text.member("reason", closing.reason.span.bytes)
    } else {
      text.member("reason", known: [])
    }
    realms.closed(connection)
    if closing.isReset { text.member("reset", true) }
    if closing.transportEnd.utf8CodeUnitCount > 0 {
      text.member("transport", word: closing.transportEnd)
    }
    if !closing.transports.isEmpty {
      text.list("transports", of: closing.transports) {
        $1.append(jsonString: $0.description)
      }
    }
    text.append("}\n")
  }

  public mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    text.append(#"{"event":"summary""#)
    text.member("connections", summary.connections)
    text.member("messages", summary.messages)
    text.member("controlFrames", summary.controlFrames)
    text.object("findings") {
      $0.member("error", summary.errors)
      $0.member("warning", summary.warnings)
      $0.member("note", summary.notes)
    }
    text.object("lost") {
      $0.member("bytes", summary.lostBytes)
      $0.member("messages", summary.lostMessages)
    }
    text.member("untoldFindings", summary.unreportedFindings)
    text.member("evicted", summary.evicted)
    switch summary.stop {
    case .count: text.member("stopped", word: "count")
    case .interrupt: text.member("stopped", word: "interrupt")
    case .time: text.member("stopped", word: "time")
    case nil: break
    }
    if !summary.captures.isEmpty {
      text.list("capture", of: summary.captures) { append(capture: $0, &$1) }
    }
    text.object("counts") { text in
      for thing in Counter.allCases { text.member(thing.name, summary[thing]) }
    }
    text.object("bytes") { text in
      for fate in Fate.allCases { text.member(fate.name, summary[fate]) }
    }
    text.append("}\n")
  }

  private func append(capture: Summary.Capture, _ text: inout TextBuffer) {
    text.append("{")
    text.member("interface", capture.interface)
    text.member("captured", capture.captured)
    text.member("received", capture.received)
    text.object("dropped") {
      $0.member("byKernel", capture.droppedByKernel)
      $0.member("byInterface", capture.droppedByInterface)
      $0.member("byProgram", capture.droppedByProgram)
    }
    text.append("}")
  }

  /// The longest message that each side takes, in bytes.
  private func append(mostOctets: Opening.MostOctets?, _ text: inout TextBuffer) {
    guard let mostOctets else { return }
    text.object("maximum") {
      $0.member("client", mostOctets.toClient)
      $0.member("server", mostOctets.toServer)
    }
  }

  private mutating func append(time origin: Origin, _ text: inout TextBuffer) {
    guard origin.time.isKnown else { return text.append(#","time":null"#) }
    text.append(#","time":""#)
    time.append(utc: origin.time, precision: origin.precision, to: &text)
    text.append("\"")
  }

  private func append(ids message: Message, _ view: MessageView, _ text: inout TextBuffer) {
    let (bytes, notes) = (view.bytes, view.notes)
    if message.traits.contains(.bodyInNotes) { return }
    var isFirst = true
    for index in 0..<3 {
      let link = message.link(index)
      if !link.isShown { continue }
      text.append(isFirst ? "\"" : ",\"")
      isFirst = false
      text.append(link.word)
      text.append("\":")
      text.append(decimal: link.key)
    }
    // Several of the same word follow each other.
    var isInList = false
    var index = Self.nextID(notes, 0)
    while index < notes.count {
      let next = Self.nextID(notes, index + 1)
      let word = notes[index].word
      let hasMore = next < notes.count && notes[next].word.equals(word)
      if isInList {
        text.append(",")
      } else {
        text.append(isFirst ? "\"" : ",\"")
        text.append(symbol: word)
        text.append(hasMore ? "\":[" : "\":")
      }
      append(id: notes[index].range, message, bytes, &text)
      if isInList && !hasMore { text.append("]") }
      (isFirst, isInList, index) = (false, hasMore, next)
    }
  }

  private static func nextID(_ notes: Span<Note>, _ start: Int) -> Int {
    var index = start
    while index < notes.count, notes[index].kind != .id { index += 1 }
    return index
  }

  private func append(
    id range: ByteRange, _ message: Message, _ bytes: RawSpan, _ text: inout TextBuffer
  ) {
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

  private func append(
    latency joined: Joined, _ precision: UInt8, _ text: inout TextBuffer
  ) {
    guard joined.latency >= 0 else { return }
    if Joined.latencyUpperBound(joined.latency, precision: precision) != nil {
      return text.member("latency", latency: joined.latency, precision: precision)
    }
    text.append(#","latency":"#)
    text.append(jsonSeconds: joined.latency)
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
