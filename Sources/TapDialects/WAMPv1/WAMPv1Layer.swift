// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// WAMP v1, of 2012 and 2013: a different protocol from v2, with the subprotocol `wamp` and other
/// messages under the same codes. One WebSocket message is one JSON text.
public struct WAMPv1Layer: Layer {
  private var array: WAMPv1Array
  private var notes = ContiguousArray<Note>()
  private var prefixes: WAMPv1Prefixes
  private var secrets = WAMPv1Secrets()
  private var sessionRules: WAMPv1SessionRules
  private let maximumDepth: Int
  /// The server chose no subprotocol, and the finding about it has not been reported yet.
  private var lacksSubprotocol: Bool

  public init(_ opening: Opening, limits: Limits) {
    array = WAMPv1Array(maximumDepth: limits.nesting)
    maximumDepth = limits.nesting
    prefixes = WAMPv1Prefixes(limits: limits)
    // Pasted messages may be only a part of the session.
    sessionRules = WAMPv1SessionRules(
      knowsAll: opening.isFromStart && opening.client.isKnown, limits: limits)
    lacksSubprotocol =
      opening.isFromStart && opening.subprotocol.isEmpty && opening.provenance.writer.isEmpty
  }

  /// The name of a list's message type in WAMP v1; nil when it does not look like such a message,
  /// or is a CALLRESULT, which is not distinctive.
  static func type(of bytes: RawSpan, maximumDepth: Int) -> StaticString? {
    var array = WAMPv1Array(maximumDepth: maximumDepth)
    array.read(bytes)
    return array.grade(bytes) == .likely && array.code != 3 ? array.type?.name : nil
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if delivery.kind == .withheld {
      return UnclaimedLayer.withhold(bytes, delivery, carrier: "websocket", listener)
    }
    if delivery.kind == .binary {
      withhold(bytes, delivery, listener)
      return listener.remark(
        .opcodeMismatch, .error, delivery.origin, "a binary message, but WAMP v1 uses text")
    }
    if delivery.kind.isPartial { return withhold(bytes, delivery, listener) }
    array.read(bytes)
    guard array.isList else {
      withhold(bytes, delivery, listener)
      return remark(bytes, delivery.origin, listener)
    }
    let type = array.type?.name ?? "UNKNOWN"
    var message = Message("wampv1", Symbol(type), delivery.origin)
    message.traits = .isText
    if array.isWhole && delivery.kind == .text {
      message.traits.formUnion(array.scanner.traits)
    }
    if array.problem != nil { message.traits.insert(.isMalformed) }
    notes.removeAll(keepingCapacity: true)
    if array.type == nil {
      if let code = array.code { message.first = Link(.shows, "code", code, space: 0) }
      message.payload = ByteRange(0, bytes.byteCount)
    } else {
      WAMPv1Links.declare(array, bytes, &message, &notes)
    }
    let sent = message.subject.isEmpty ? [] : JSON.unescaped(bytes[message.subject])
    let name = WAMPv1Name(sent.span.bytes)
    let uri = expand(sent, name, &message, listener)
    secrets.look(array, bytes, uri: uri.span.bytes, message, into: &notes)
    if !array.isWhole && array.scanner.offset < bytes.byteCount {
      notes.append(Note(.bulk, "trailing", ByteRange(array.scanner.offset, bytes.byteCount)))
    }
    sessionRules.adjustLinks(of: &message)
    listener.message(message, bytes, notes.span)
    remark(bytes, delivery.origin, listener)
    if array.problem != nil {
      sessionRules.miss()
    } else {
      judge(name, uri, message, listener)
      if array.code == 1 { define(uri, bytes, delivery.origin, listener) }
      sessionRules.look(array, bytes, message, listener)
    }
  }

  /// Hides a message that cannot be read: it may be the proof of an authentication.
  private mutating func withhold(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    sessionRules.miss()
    UnclaimedLayer.report(
      bytes, delivery, mayHoldSecrets: true, carrier: "websocket", listener)
  }

  /// The full name of the subject; if the message abbreviates it, the listener is told.
  private func expand(
    _ sent: [UInt8], _ name: WAMPv1Name, _ message: inout Message, _ listener: any Listener
  ) -> [UInt8] {
    if sent.isEmpty { return [] }
    var uri = sent
    if let prefix = name.prefix, array.code != 1,
      let full = prefixes.expanded(sent.span.bytes, prefix: prefix)
    {
      uri = full
      listener.subject(uri.span.bytes)
      message.subject = ByteRange()
    }
    if message.first.role == .none {
      // A message with a subject needs a link; this key is not shown.
      message.first = Link(
        .shows, "", uri.span.bytes.fingerprint, space: WAMPv1Links.Space.topic)
    }
    return uri
  }

  private mutating func define(
    _ uri: [UInt8], _ bytes: RawSpan, _ origin: Origin, _ listener: any Listener
  ) {
    let prefix = JSON.unescaped(bytes[array.string(1)])
    if !prefixes.define(prefix, as: uri) {
      listener.remark(
        .v1PrefixUnknown, .warning, origin,
        "there are more prefixes than are remembered; names with this one stay abbreviated")
    }
  }

  /// Reports faults in the name of a topic or a procedure.
  private func judge(
    _ name: WAMPv1Name, _ uri: [UInt8], _ message: Message, _ listener: any Listener
  ) {
    if uri.isEmpty || message.subject.isEmpty { return }
    let shown = String(decoding: uri.prefix(80), as: Unicode.UTF8.self)
    if !name.isTypical {
      listener.remark(
        .v1URIInvalid, .warning, message.origin, "\(shown) is neither a URI nor a CURIE")
    } else if name.isCompact && array.code != 1 && sessionRules.knowsAll {
      listener.remark(
        .v1PrefixUnknown, .warning, message.origin,
        "\(shown) is taken for a URI: no PREFIX has declared what stands before its colon")
    }
  }

  public mutating func gap(_: Int?, _ delivery: Delivery, _: any Listener) {
    sessionRules.miss(delivery.origin.direction)
  }

  public mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    if ending == .half { return }
    sessionRules.finish(ending, delivery, listener)
    prefixes.forget()
  }

  /// Reports faults in the form of the message.
  private mutating func remark(
    _ bytes: RawSpan, _ origin: Origin, _ listener: any Listener
  ) {
    if let problem = array.problem {
      if let other = WAMPLayer.type(of: bytes, maximumDepth: maximumDepth) {
        listener.remark(
          .versionMismatch, .error, origin,
          "this is \(other) of WAMP v2, on a connection that speaks v1")
      } else {
        listener.remark(problem.fault.code, .error, origin, problem.text)
      }
    }
    if array.scanner.hasNonFinite {
      listener.remark(
        .notStrictJSON, .error, origin,
        "NaN and Infinity are not JSON; the message is shown as sent")
    }
    if lacksSubprotocol {
      lacksSubprotocol = false
      listener.remark(
        .subprotocolMissing, .warning, origin,
        "the server chose no subprotocol; the first message shows that this is WAMP v1")
    }
  }
}
