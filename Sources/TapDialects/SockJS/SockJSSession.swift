// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// One SockJS session: its frames in order, over any transport. Each string of each list is a
/// message of the carried protocol.
struct SockJSSession {
  private var above: any Layer
  private var scanner: JSONScanner
  /// The text of one string, without its escapes.
  private var text: [UInt8] = []
  private var heartbeat = SockJSHeartbeat()
  /// Every frame since the beginning of the session was captured.
  private var knowsAll: Bool
  private var isOpen = false
  private var isClosed = false
  /// It was reported that the server sends values other than strings.
  private var hasReportedValue = false
  /// It is carried over HTTP exchanges.
  private let isOverHTTP: Bool

  init(_ opening: Opening, _ run: RunContext) {
    var inside = opening
    inside.carrier = .sockJS
    // The named dialect was SockJS; the carried protocol is recognised by its content.
    inside.provenance.dialect = ""
    above = run.chooser?.layer(for: inside) ?? UnclaimedLayer(carrier: .sockJS)
    scanner = JSONScanner(maximumDepth: run.limits.nesting)
    knowsAll = opening.isFromStart && opening.client.isKnown
    isOverHTTP = opening.carrier == .http
  }

  // MARK: - From the server

  /// A frame of the server.
  mutating func receive(frame bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    let frame = SockJSFrame(bytes)
    look(at: delivery.origin, isBeat: frame == .heartbeat, listener)
    judgeOrder(frame, delivery, listener)
    switch frame {
    case .open:
      report("OPEN", [], bytes, delivery, listener)
      if isOpen {
        listener.remark(
          .sockJSOpenAgain, .warning, delivery.origin,
          "the session is open already: the server lost it and began anew")
      }
      isOpen = true
    case .heartbeat: report("HEARTBEAT", .isControl, bytes, delivery, listener)
    case .messages: messages(bytes, from: 1, delivery, .sockJSBadFrame, listener)
    case .message: message(bytes, delivery, listener)
    case .close: close(bytes, delivery, listener)
    case nil:
      Self.reportUnread(bytes, delivery, listener)
      listener.remark(.sockJSBadFrame, .error, delivery.origin, "not a frame of a SockJS server")
    }
    knowsAll = knowsAll && frame != nil
  }

  /// Reports a frame that is not allowed at this point.
  private mutating func judgeOrder(
    _ frame: SockJSFrame?, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard let frame else { return }
    if isClosed && frame != .close {
      listener.finding(
        .sockJSAfterClose, .error, delivery.origin,
        "the server closed the session before this frame")
    } else if knowsAll && !isOpen && frame != .open && frame != .close {
      knowsAll = false
      listener.finding(
        .sockJSOpenMissing, .error, delivery.origin, "the first frame of a session must be o")
    }
  }

  /// `m` and one value: a string is the message; any other value is reported as its JSON.
  private mutating func message(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard scanner.scan(bytes, from: 1) == bytes.byteCount else {
      return refuse(bytes, delivery, .sockJSBadFrame, "no JSON value behind m", listener)
    }
    pass(value: scanner.elements[0], bytes, delivery, listener)
  }

  private mutating func close(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    guard scanner.scan(bytes, from: 1) == bytes.byteCount, scanner.elements.count == 2,
      let code = JSON.natural(bytes, scanner.elements[0].range),
      scanner.elements[1].kind == .string
    else {
      return refuse(
        bytes, delivery, .sockJSBadFrame, "a code and a reason belong behind c", listener)
    }
    let reason = scanner.elements[1].content
    text.removeAll(keepingCapacity: true)
    JSON.unescape(bytes[reason], to: &text)
    var message = Message("sockjs", "CLOSE", delivery.origin)
    message.traits = .bodyInNotes
    message.first = Link(.shows, "code", code, space: 0)
    message.reason = ByteRange(0, text.count)
    listener.sent(bytes, trailing: 0, as: "SockJS")
    listener.message(message, text.span.bytes, Span())
    // Only the second request of a session is closed; the session continues.
    if code == 2010 {
      return listener.remark(
        .sockJSReceiverTwice, .warning, delivery.origin,
        "another request of this session was open; this one ends, and the session goes on")
    }
    if isClosed { return }
    isClosed = true
    let isUsual = code == 1000 || code == 3000
    let words = String(decoding: text, as: Unicode.UTF8.self)
    listener.remark(
      .sockJSClosed, isUsual ? .note : .warning, delivery.origin,
      "the server closed the session: \(code)\(words.isEmpty ? "" : ", “\(words)”")")
  }

  // MARK: - From the client

  /// Messages of the client: a list of strings, or one string.
  mutating func receive(sent bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    if bytes.byteCount > 0 && bytes.byte(at: 0) == UInt8(ascii: "\"") {
      guard scanner.scan(bytes) == bytes.byteCount else {
        return refuse(bytes, delivery, .sockJSBadSend, "a string that does not end", listener)
      }
      return pass(value: scanner.elements[0], bytes, delivery, listener)
    }
    if bytes.isEmpty { return }
    messages(bytes, from: 0, delivery, .sockJSBadSend, listener)
  }

  /// A binary message, which SockJS does not have.
  mutating func receive(binary bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    Self.reportUnread(bytes, delivery, listener)
    let isUp = delivery.origin.direction == .toServer
    listener.remark(
      isUp ? .sockJSBadSend : .sockJSBadFrame, .error, delivery.origin,
      "a binary message: SockJS has messages of text only")
  }

  // MARK: - What is carried

  /// A list of messages.
  private mutating func messages(
    _ bytes: RawSpan, from start: Int, _ delivery: Delivery, _ fault: Finding.Code,
    _ listener: any Listener
  ) {
    guard scanner.scan(bytes, from: start) == bytes.byteCount, scanner.isArray else {
      return refuse(bytes, delivery, fault, "expected a list of strings", listener)
    }
    var at = start + 1
    while let member = JSON.next(bytes, &at, inObject: false) {
      pass(value: member.value, bytes, delivery, listener)
      if member.value.kind == .string { continue }
      if fault == .sockJSBadSend {
        listener.remark(
          fault, .error, delivery.origin, "a value of the list is no string; its JSON is shown")
      } else if !hasReportedValue {
        hasReportedValue = true
        listener.remark(
          .sockJSNotString, .warning, delivery.origin,
          "a value of the list is no string; its JSON is shown, as it is of those behind it")
      }
    }
  }

  private mutating func pass(
    value: JSONElement, _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    var inside = delivery
    inside.kind = .text
    guard value.kind == .string else {
      return above.receive(bytes[value.range], inside, listener)
    }
    let content = bytes[value.content]
    if content.firstIndex(of: UInt8(ascii: "\\")) == nil {
      return above.receive(content, inside, listener)
    }
    // Move the buffer out, as the layer above must not access this session's buffer while it uses
    // the text.
    var text: [UInt8] = []
    swap(&text, &self.text)
    defer { if text.capacity <= 1 << 20 { swap(&text, &self.text) } }
    text.removeAll(keepingCapacity: true)
    let isWhole = JSON.unescape(content, to: &text)
    above.receive(text.span.bytes, inside, listener)
    if !isWhole {
      listener.remark(
        .sockJSLoneSurrogate, .warning, delivery.origin,
        "half of a surrogate pair stands for no character; U+FFFD is shown in its place")
    }
  }

  /// A part of a frame came.
  mutating func hear(_ delivery: Delivery, _ listener: any Listener) {
    above.hear(delivery, listener)
  }

  // MARK: - What is not there

  /// An incomplete message.
  mutating func miss(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    gap(nil, delivery, listener)
    if delivery.kind == .withheld {
      return UnclaimedLayer.withhold(bytes, delivery, carrier: "sockjs", listener)
    }
    // Any piece may be part of a login in the carried protocol.
    UnclaimedLayer.report(bytes, delivery, mayHoldSecrets: true, carrier: "sockjs", listener)
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    knowsAll = false
    isClosed = false
    heartbeat.forget()
    above.gap(nil, delivery, listener)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    if ending != .half { look(at: delivery.origin, isBeat: false, listener) }
    above.finish(ending, delivery, listener)
    if ending == .endOfEvidence && isOverHTTP && isOpen && !isClosed && knowsAll {
      listener.finding(
        .sockJSLeftOpen, .note, delivery.origin, "the session was not closed when the capture ended"
      )
    }
  }

  // MARK: - Reporting

  /// Reports a message as it is, unless it may contain credentials.
  private static func reportUnread(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    var unclaimed = UnclaimedLayer(carrier: .sockJS)
    unclaimed.receive(bytes, delivery, listener)
  }

  private func report(
    _ name: Symbol, _ traits: Message.Traits, _ bytes: RawSpan, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    var message = Message("sockjs", name, delivery.origin)
    message.traits = traits.union([.isText, .isUnclaimed])
    listener.message(message, bytes, Span())
  }

  /// Reports a frame that cannot be read, with a finding.
  private func refuse(
    _ bytes: RawSpan, _ delivery: Delivery, _ code: Finding.Code, _ why: String,
    _ listener: any Listener
  ) {
    Self.reportUnread(bytes, delivery, listener)
    listener.remark(code, .error, delivery.origin, why)
  }

  /// Checks the heart-beat interval.
  private mutating func look(
    at origin: Origin, isBeat: Bool, _ listener: any Listener
  ) {
    guard origin.direction != .toServer,
      let seconds = heartbeat.look(at: origin.time, isBeat: isBeat)
    else { return }
    listener.finding(
      .sockJSHeartbeatLate, .warning, origin,
      "nothing came from the server for \(seconds) s, more than twice its period")
  }
}
