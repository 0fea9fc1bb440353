// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapSessions
import TapTraffic

/// Reads a conversation by the table of its protocol.
struct JSONProtocolLayer: Layer {
  private static let rules = [
    ExchangeRules.Rule(
      spaces: AskedSide.both, question: "question",
      unanswered: .jsonUnanswered, unknown: .jsonAnswerUnknown, repeated: .jsonIDDuplicate,
      leftOpen: .jsonLeftOpen)
  ]

  /// When answers come in parts, an answer without a request may be another part.
  private static let rulesOfParts = [
    ExchangeRules.Rule(
      spaces: AskedSide.both, question: "question",
      unanswered: .jsonUnanswered, unknown: nil, repeated: .jsonIDDuplicate)
  ]

  let plan: JSONProtocolPlan
  var reader: JSONProtocolReader
  private(set) var scanner: JSONScanner
  /// The text of a binary message.
  private var text = Scratch()
  var notes = WorkingList<Note>()
  var rules: ExchangeRules
  private var names: RecentSymbols
  private let carrier: StaticString
  private let name: StaticString
  private let separator: UInt8?
  /// It was read from a log: the program that wrote it may have cut messages.
  private let isPrinted: Bool
  let isAskedByBoth: Bool
  /// Of an application's own messages, how many credentials are masked one by one; nil of others.
  let mostMasked: Int?
  /// Open questions of which nothing said who sent them.
  var unsaid: Set<UInt64> = []
  static let mostUnsaid = 1024
  /// The scopes of questions.
  var scopes = BoundedKeys()
  /// The streams that either side sends beside its questions, and that have not ended.
  var streams = BoundedKeys()
  /// Where some kind may excuse them, the questions that are not answered.
  var asked = BoundedKeys()
  /// The exchanges that have ended with a failure, where some servers end them once more.
  var failed = BoundedKeys()
  let endsTwice: Bool
  /// For messages without an id; nil when the order has no meaning, or was lost.
  var order: QuestionOrder?
  private let orderBegins: Symbol?
  /// The kind that the server must send first; nil once it came or may have been missed, and once
  /// its absence was reported.
  private var awaited: Symbol?

  init(_ plan: JSONProtocolPlan, separator: UInt8?, _ opening: Opening, limits: Limits) {
    (self.plan, reader) = (plan, JSONProtocolReader(plan))
    (name, self.separator) = (plan.table.name, separator)
    endsTwice = plan.table.endsTwiceUnder.map { opening.subprotocol.span.bytes.equals($0) } ?? false
    isAskedByBoth = plan.table.askers == .both
    mostMasked = name.equals("json") ? limits.maskedValues : nil
    isPrinted = opening.provenance.isLogged
    // A log may contain several connections.
    orderBegins = isPrinted ? nil : plan.table.orderBegins
    awaited = opening.isFromStart ? plan.table.kinds.lazy.compactMap(\.after).first : nil
    scanner = JSONScanner(maximumDepth: limits.nesting)
    let isInParts = plan.table.isAnsweredInParts
    rules = ExchangeRules(
      isInParts ? Self.rulesOfParts : Self.rules,
      knowsAll: opening.isFromStart && opening.client.isKnown, limits: limits)
    carrier = UnclaimedLayer.name(of: opening.carrier)
    names = RecentSymbols(most: limits.kindNames)
  }

  /// The end of the first text in a message.
  static func end(of bytes: RawSpan, _ separator: UInt8?, from start: Int = 0) -> Int {
    separator.flatMap { bytes.firstIndex(of: $0, from: start) } ?? bytes.byteCount
  }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if delivery.kind == .withheld {
      miss()
      return UnclaimedLayer.withhold(bytes, delivery, carrier: carrier, listener)
    }
    if delivery.kind.isCut(bytes) {
      miss()
      return UnclaimedLayer.report(bytes, delivery, carrier: carrier, listener)
    }
    if delivery.kind == .binary, let unpacking = plan.table.unpacking {
      return unpack(bytes, unpacking, delivery, listener)
    }
    guard separator != nil else { return read(bytes, delivery, listener) }
    var start = 0
    while start < bytes.byteCount {
      let end = Self.end(of: bytes, separator, from: start)
      if end > start { read(bytes.extracting(start..<end), delivery, listener) }
      start = end + 1
    }
  }

  private mutating func unpack(
    _ bytes: RawSpan, _ unpacking: JSONProtocol.Unpacking, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    var made = Scratch()
    swap(&made, &text)
    made.removeAll()
    if unpacking.append(bytes, delivery.origin.direction, &scanner, &made),
      isMessage(made.bytes)
    {
      listener.sent(bytes, trailing: 0, as: unpacking.name)
      report(made.bytes, delivery, listener)
    } else {
      read(bytes, delivery, listener)
    }
    swap(&made, &text)
  }

  private mutating func read(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if isMessage(bytes) { return report(bytes, delivery, listener) }
    // Applications add texts such as `ping`; only text with brackets should be JSON.
    if !scanner.isNoMessage(bytes, delivery.kind, isPrinted: isPrinted) { rules.miss() }
    // Servers that answer in order may answer it, too.
    order = nil
    // Lists of one that has lists look like those of others.
    let isOfOthers =
      plan.table.kinds.allSatisfy { $0.elements.isEmpty }
      && Dialects.all.contains { $0.mayHoldCredentials(bytes, delivery) }
    UnclaimedLayer.report(
      bytes, delivery, mayHoldSecrets: isOfOthers, carrier: carrier, listener)
    let isJSON =
      bytes.byteCount > 0
      && (bytes.byte(at: 0) == .openBrace || bytes.byte(at: 0) == .openBracket)
    if isJSON && delivery.kind != .abridged { reportUnknown(bytes, delivery, listener) }
  }

  private mutating func isMessage(_ bytes: RawSpan) -> Bool {
    scanner.scan(bytes) == bytes.byteCount && (!scanner.elements.isEmpty || scanner.isArray)
      && reader.read(scanner, bytes)
  }

  /// Reports the message that was read last.
  private mutating func report(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    notes.removeAll()
    if let orderBegins, orderBegins.equals(reader.kind.value) { order = QuestionOrder() }
    let ids = exchange(bytes, delivery.origin.direction)
    var message = Message(name, kindName(hasID: !ids.isEmpty, bytes), delivery.origin)
    message.traits = scanner.traits(of: delivery.kind)
    message.sentBytes = delivery.sentBytes
    if !reader.hasForm(scanner) { message.traits.insert(.isMalformed) }
    describe(bytes, &message)
    if delivery.origin.direction == .unknown { infer(ids, &message) }
    let role = role(ids, bytes, message.origin.direction)
    declare(ids, role, bytes, &message)
    beginStreams(bytes, &message)
    rules.adjustLinks(of: &message)
    listener.message(message, bytes, notes.span)
    if message.traits.contains(.isMalformed) {
      miss()
      return listener.remark(
        .jsonWrongForm, .error, delivery.origin,
        "the elements of this list are not those of \(message.name)")
    }
    judge(ids, role, message, listener)
    if let awaited { judgeOrder(awaited, message, listener) }
    if message.traits.contains(.isFailure) {
      listener.remark(
        .jsonRefused, .warning, delivery.origin, "\(message.name) reports a failure",
        isSaid: true)
    }
  }

  private mutating func kindName(hasID: Bool, _ bytes: RawSpan) -> Symbol {
    let kind = reader.kind
    if let own = reader.ownName {
      let isName = Symbol.isName(bytes[own])
      return (isName ? names.symbol(bytes[own]) : nil) ?? kind.name
    }
    if !hasID, let name = kind.nameWithoutID { return name }
    return kind.name
  }

  /// Sets the subject, the payload, whether it reports a failure, and its credentials.
  private mutating func describe(_ bytes: RawSpan, _ message: inout Message) {
    if let subject = reader.subject(bytes) { message.subject = subject.content }
    message.payload = reader.payload(bytes)?.range ?? ByteRange()
    if reader.isFailure(bytes) {
      message.traits.insert(.isFailure)
      if let reason = reader.value(plan.reasons, bytes), reason.kind == .string {
        message.reason = reason.content
      }
      if let words = plan.explanation.flatMap({ reader.value($0, bytes) }),
        words.kind == .string, !words.isEmptyContent
      {
        notes.append(Note(.explanation, "", words.content))
      }
    }
    noteSecrets(bytes, message)
  }

  /// The client sent a message before the server sent the required first one.
  private mutating func judgeOrder(
    _ first: Symbol, _ message: Message, _ listener: any Listener
  ) {
    let isEarly = message.origin.direction == .toServer && reader.kind.isToWait
    if isEarly || first.equals(reader.kind.value) { awaited = nil }
    if !isEarly || !rules.knowsAll { return }
    listener.remark(
      .jsonBeforeReady, .error, message.origin,
      "\(message.name) before the server has sent \(first)")
  }

  private mutating func reportUnknown(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard scanner.problem != nil else {
      let isAlone = scanner.scan(bytes) == bytes.byteCount
      let text =
        isAlone ? "\(plan.table.title) has no such message" : "more stands behind its first text"
      return listener.remark(.jsonKindUnknown, .note, delivery.origin, text)
    }
    listener.remark(.jsonBroken, .error, delivery.origin, "this is no JSON: \(scanner.fault)")
  }

  func meaning(ofClose code: UInt16) -> CloseMeaning? {
    plan.table.closeCodes.first { $0.codes.contains(code) }?.meaning
  }

  mutating func gap(_: Int?, _ delivery: Delivery, _: any Listener) {
    miss(delivery.origin.direction)
  }

  /// A message that could not be read, or was not captured, may have been anything.
  private mutating func miss(_ direction: Direction = .unknown) {
    rules.miss(direction)
    order = nil
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    rules.finish(ending, delivery, listener)
  }
}
