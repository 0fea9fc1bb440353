// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapSessions
public import TapTraffic

/// JSON-RPC 2.0: requests, notifications and responses as JSON objects, alone or in a list. Either
/// side may ask, with its own ids. Until a message says that it is 2.0, messages are judged by the
/// rules of 1.0.
public struct JSONRPCLayer: Layer {
  private static let rules = [
    ExchangeRules.Rule(
      spaces: AskedSide.both, question: "REQUEST",
      unanswered: .rpcUnanswered, unknown: .rpcAnswerUnknown, repeated: .rpcIDDuplicate)
  ]

  private var scanner: JSONScanner
  private var notes = WorkingList<Note>()
  private var rules: ExchangeRules
  private let carrier: StaticString
  /// It was read from a log: the program that wrote it may have cut messages.
  private let isPrinted: Bool
  /// A bit for each direction in which messages were seen.
  private var spoken: UInt8 = 0
  /// Of objects that are none of its messages; nil where there was none.
  private var others: JSONNames?
  private let limits: Limits
  /// A message has said that it is of JSON-RPC 2.0.
  private var isVersion2 = false
  private var hasReportedVersion1 = false

  public init(_ opening: Opening, limits: Limits) {
    scanner = JSONScanner(maximumDepth: limits.nesting)
    rules = ExchangeRules(
      Self.rules, knowsAll: opening.isFromStart && opening.client.isKnown, limits: limits)
    carrier = UnclaimedLayer.name(of: opening.carrier)
    isPrinted = opening.provenance.isLogged
    self.limits = limits
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if delivery.kind == .withheld {
      rules.miss()
      return UnclaimedLayer.withhold(bytes, delivery, carrier: carrier, listener)
    }
    let isCut = delivery.kind.isCut(bytes)
    guard !isCut, let end = scanner.scan(bytes), end == bytes.byteCount else {
      if isCut || !scanner.isNoMessage(bytes, delivery.kind, isPrinted: isPrinted) { rules.miss() }
      UnclaimedLayer.report(bytes, delivery, carrier: carrier, listener)
      if !isCut && delivery.kind != .abridged && Self.isMeantAsText(bytes, delivery) {
        listener.remark(
          .rpcParseError, .error, delivery.origin, "this is no JSON: \(scanner.fault)")
      }
      return
    }
    if !scanner.isArray { return report(scanner.elements[0], bytes, delivery, listener) }
    batch(bytes, delivery, listener)
  }

  /// Whether a binary message should be JSON: applications also send images, sound and the like.
  private static func isMeantAsText(_ bytes: RawSpan, _ delivery: Delivery) -> Bool {
    if delivery.kind != .binary { return true }
    let first = (0..<bytes.byteCount).first { bytes.byte(at: $0) > 0x20 }
    let isOpen = first.map { [.openBrace, .openBracket].contains(bytes.byte(at: $0)) } ?? false
    return isOpen && UTF8.firstInvalid(in: bytes) == nil
  }

  /// Each element of a batch is a message (JSON-RPC 2.0 §6).
  private mutating func batch(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if scanner.elements.isEmpty {
      UnclaimedLayer.report(bytes, delivery, carrier: carrier, listener)
      return listener.remark(.rpcBatchEmpty, .error, delivery.origin, "a batch without a message")
    }
    let start = (bytes.firstIndex(of: UInt8(ascii: "[")) ?? 0) + 1
    var at = start
    while let element = JSON.next(bytes, &at, inObject: false)?.value {
      guard element.kind == .array else { continue }
      rules.miss()
      UnclaimedLayer.report(bytes, delivery, carrier: carrier, listener)
      return listener.remark(.rpcBatchInBatch, .error, delivery.origin, "a batch inside of a batch")
    }
    at = start
    while let element = JSON.next(bytes, &at, inObject: false)?.value {
      report(element, bytes, delivery, listener)
    }
  }

  private mutating func report(
    _ value: JSONElement, _ whole: RawSpan, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    let bytes = whole[value.range]
    guard value.kind == .object else {
      if delivery.kind == .abridged { rules.miss() }
      return reportNeither(
        bytes, delivery, "it must be an object; it is \(value.kind.description)", listener)
    }
    // The scan has stored the members of a single message at the start of the text.
    let isNoted = !scanner.isArray && value.range.start == 0
    let found =
      isNoted
      ? JSONRPCMessage(scanner.members, bytes)
      : JSONRPCMessage(ByteRange(0, bytes.byteCount), bytes)
    if !scanner.isArray && !found.isOfProtocol { return reportOther(whole, delivery, listener) }
    guard let kind = found.kind(isAbridged: delivery.kind == .abridged) else {
      // Without an id it is no answer to anything.
      if found.id != nil || delivery.kind == .abridged { rules.miss() }
      return reportNeither(
        bytes, delivery, "it has neither a method nor a result nor an error", listener)
    }
    var message = Message("jsonrpc", Symbol(kind.name), delivery.origin)
    message.traits = scanner.traits(of: delivery.kind)
    message.sentBytes = delivery.sentBytes
    notes.removeAll()
    declare(found, kind, bytes, &message)
    JSONSecrets.append(to: &notes, found, bytes, most: limits.maskedValues)
    rules.adjustLinks(of: &message)
    listener.message(message, bytes, notes.span)
    spoken |= 1 << message.origin.direction.rawValue
    rules.look(message, listener)
    // Placeholders of omitted values are not what was sent.
    if delivery.kind != .abridged { judge(found, kind, bytes, delivery, listener) }
  }

  /// An object that an application sends beside the messages of the protocol.
  private mutating func reportOther(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if others == nil { others = JSONNames(limits: limits) }
    var message = others!.message(scanner, bytes, delivery).message
    message.first = .unkeyed
    notes.removeAll()
    let object = JSONRPCMessage(scanner.members, bytes)
    JSONSecrets.append(to: &notes, object, bytes, most: limits.maskedValues)
    listener.message(message, bytes, notes.span)
    others!.reportLackOfRoom(delivery, listener)
  }

  private mutating func reportNeither(
    _ bytes: RawSpan, _ delivery: Delivery, _ text: String, _ listener: any Listener
  ) {
    UnclaimedLayer.report(bytes, delivery, carrier: carrier, listener)
    listener.remark(.rpcNeither, .error, delivery.origin, text)
  }

  private mutating func declare(
    _ found: JSONRPCMessage, _ kind: JSONRPCMessage.Kind, _ bytes: RawSpan,
    _ message: inout Message
  ) {
    // That of a notification of JSON-RPC 1.0 says nothing.
    if let id = found.id, kind != .notification {
      notes.append(Note(.id, "request", id.text))
    }
    if let method = found.method, method.kind == .string { message.subject = method.content }
    let isAnswer = kind == .response || kind == .error
    let asker = isAnswer ? message.origin.direction.reversed : message.origin.direction
    let space = AskedSide.space(askedTo: asker)
    message.first = .unkeyed
    if let id = found.id, id.mayBeID {
      message.first = Link(
        isAnswer ? .answers : .opens, "", id.identity(in: bytes), space: space)
    }
    switch kind {
    case .request, .notification: message.payload = found.params?.range ?? ByteRange()
    case .response: message.payload = found.result?.range ?? ByteRange()
    case .error:
      message.traits.insert(.isFailure)
      let (code, words, data) = found.details(bytes)
      if let code { notes.append(Note(.fact, "code", code.range)) }
      if let words, words.kind == .string { message.reason = words.content }
      message.payload = (data ?? (code == nil ? found.error : nil))?.range ?? ByteRange()
    }
  }

  /// Reports faults of its form.
  private mutating func judge(
    _ found: JSONRPCMessage, _ kind: JSONRPCMessage.Kind, _ bytes: RawSpan, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    if found.isVersion2(bytes) {
      isVersion2 = true
    } else if !isVersion2 && found.version == nil {
      if !hasReportedVersion1 {
        listener.remark(
          .rpcVersion, .note, delivery.origin,
          "\"jsonrpc\" is missing here, as in JSON-RPC 1.0: what lacks it is read as that")
      }
      hasReportedVersion1 = true
    } else {
      listener.remark(
        .rpcVersion, .note, delivery.origin,
        found.version == nil
          ? "\"jsonrpc\" is missing; JSON-RPC 2.0 has it in each message"
          : "\"jsonrpc\" must be \"2.0\"")
    }
    if let id = found.id {
      switch id.kind {
      case .string, .natural, .null: break
      case .number:
        if bytes[id.range].firstIndex(of: UInt8(ascii: ".")) != nil {
          listener.remark(.rpcIDType, .note, delivery.origin, "the id has a fraction")
        }
      default:
        listener.remark(
          .rpcIDType, .error, delivery.origin,
          "the id must be a text or a number; it is \(id.kind.description)")
      }
    }
    if let method = found.method, method.kind != .string {
      listener.remark(
        .rpcNeither, .error, delivery.origin,
        "the method must be a text; it is \(method.kind.description)")
    }
    if let params = found.params, params.kind != .object && params.kind != .array {
      listener.remark(
        .rpcParams, .error, delivery.origin,
        "params must be an object or a list; it is \(params.kind.description)")
    }
    let isOfVersion1 = !isVersion2 && found.isOfVersion1
    if found.method == nil, !isOfVersion1, let error = found.error, let result = found.result {
      // JSON-RPC 1.0 sends both, one of them null.
      let isOld = error.kind == .null || result.kind == .null
      listener.remark(
        .rpcBoth, isOld ? .note : .error, delivery.origin,
        isOld
          ? "it has both a result and an error, one of them null, as JSON-RPC 1.0 has"
          : "it has both a result and an error")
    }
    if kind == .error { judgeError(found, bytes, delivery, listener) }
  }

  private func judgeError(
    _ found: JSONRPCMessage, _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    let (code, words, _) = found.details(bytes)
    let isNumber = code.map { $0.kind == .natural || $0.kind == .number } ?? false
    guard let code, isNumber, let words, words.kind == .string else {
      // JSON-RPC 1.0 prescribes no form.
      if !isVersion2 && found.version == nil {
        return listener.remark(
          .rpcFailed, .warning, delivery.origin, "the answer is an error", isSaid: true)
      }
      return listener.remark(
        .rpcErrorShape, .error, delivery.origin,
        "an error must have a code, which is a number, and a message, which is a text")
    }
    let number = bytes[code.range]
    let shown = String(decoding: number.copied().prefix(20), as: Unicode.UTF8.self)
    let known = JSONRPCMessage.name(ofCode: number).map { ", \($0)" } ?? ""
    listener.remark(
      .rpcFailed, .warning, delivery.origin, "the answer is an error: \(shown)\(known)",
      isSaid: true)
  }

  public mutating func gap(_: Int?, _ delivery: Delivery, _: any Listener) {
    rules.miss(delivery.origin.direction)
  }

  public mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    // Some programs print only what one side says: their logs cannot have the answers to it.
    if isPrinted && spoken.nonzeroBitCount < 2 { rules.miss() }
    rules.finish(ending, delivery, listener)
  }
}
