// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapSessions
import TapTraffic

/// Reports one packet: its text, links, credentials and faults.
extension SocketIOReader {
  /// - Parameter shift: the offset from the scanned elements to their place in the text.
  mutating func report(
    _ packet: SocketIOPacket, shift: Int, _ fault: StaticString?, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    let text = self.text
    defer { text.value.endPacket() }
    var message = Message("socketio", Symbol(packet.kind.name), delivery.origin)
    message.traits = [.isText]
    message.traits.formUnion(traits)
    if fault != nil { message.traits.insert(.isMalformed) }
    notes.removeAll(keepingCapacity: true)
    let namespace = text.value.text.bytes[text.value.namespace].fingerprint
    if fault == nil {
      describe(packet, shift: shift, namespace, &message, listener)
    } else {
      message.payload = text.value.data
      message.traits.insert(.isSingle)
      if packet.kind == .connect && !text.value.data.isEmpty {
        notes.append(Note(.bulk, "malformed", text.value.data))
      }
    }
    declare(packet, namespace, &message)
    noteQuery()
    sessionRules.exchanges.adjustLinks(of: &message)
    listener.message(message, text.value.text.bytes, notes.span)
    if let fault {
      sessionRules.miss()
      return listener.remark(
        .sioPacketInvalid, .error, delivery.origin, "\(packet.kind.name): \(fault)")
    }
    judge(packet, namespace, message, delivery, listener)
  }

  /// What renderers need to know about the text: the scanned JSON and the namespace.
  private var traits: Message.Traits {
    if text.value.data.isEmpty {
      return text.value.hasUnplain ? [.isJSON, .isCompact] : [.isJSON, .isCompact, .isPlain]
    }
    let found = scanner.traits
    return text.value.hasUnplain ? found.subtracting(.isPlain) : found
  }

  /// Sets the subject and the payload of the message.
  private mutating func describe(
    _ packet: SocketIOPacket, shift: Int, _ namespace: UInt64, _ message: inout Message,
    _ listener: any Listener
  ) {
    let data = text.value.data
    switch packet.kind {
    case .event, .binaryEvent:
      nameEvent(scanner.elements[0], shift: shift, &message, listener)
      guard scanner.elements.count > 1 else { return }
      let first = scanner.elements[1].range.start + shift
      var end = endOfArguments(from: first)
      if packet.ackID == nil, message.origin.direction == .toClient,
        sessionRules[namespace].hasOffsets
      {
        end = endBeforeOffset(first..<end, message.origin.time)
      }
      if end == first { return }
      message.payload = ByteRange(first, end)
      message.traits.insert(.isSequence)
    case .ack, .binaryAck: message.payload = data
    case .connect:
      message.subject = text.value.namespace
      if data.isEmpty { return }
      message.payload = data
      message.traits.insert(.isSingle)
      noteSecrets(ofConnect: data, message.origin.direction)
    case .disconnect:
      message.subject = text.value.namespace
      message.payload = data
      message.traits.insert(.isSingle)
    case .connectError:
      message.subject = text.value.namespace
      message.traits.formUnion([.isFailure, .isSingle])
      let bytes = text.value.text.bytes
      if bytes.byte(at: data.start) == .quote {
        message.reason = ByteRange(data.start + 1, data.end - 1)
      } else if let words = JSON.value(of: "message", in: data, bytes), words.kind == .string {
        message.reason = words.content
        message.payload = JSON.value(of: "data", in: data, bytes)?.range ?? ByteRange()
      } else {
        message.payload = data
      }
    }
  }

  /// Sets the event name as subject, with its namespace unless that is `/`.
  private mutating func nameEvent(
    _ name: JSONElement, shift: Int, _ message: inout Message, _ listener: any Listener
  ) {
    let range = ByteRange(name.text.start + shift, name.text.end + shift)
    if text.value.namespace.count == 1 {
      message.subject = range
    } else {
      append(text.value.text.bytes[text.value.namespace], text.value.text.bytes[range])
      listener.subject(subject.value.bytes)
    }
  }

  private func append(_ namespace: RawSpan, _ name: RawSpan) {
    subject.value.removeAll()
    append(unescaping: namespace)
    subject.value.append(byte: .space)
    append(unescaping: name)
  }

  private func append(unescaping content: RawSpan) {
    if content.firstIndex(of: .backslash) == nil {
      subject.value.append(content)
    } else {
      subject.value.append(JSON.unescaped(content).span.bytes)
    }
  }

  private func endOfArguments(from first: Int) -> Int {
    let bytes = text.value.text.bytes
    var end = text.value.data.end - 1
    while end > first, bytes.byte(at: end) != .closeBracket { end -= 1 }
    return end
  }

  /// Of a server that supports connection state recovery, events that ask for no ack end with an
  /// offset, which is shown as such. A volatile event has none.
  ///
  /// - Returns: the end of the arguments before it.
  private mutating func endBeforeOffset(_ arguments: Range<Int>, _ time: Instant) -> Int {
    let text = self.text
    let bytes = text.value.text.bytes
    var last: JSONElement?
    var before = arguments.lowerBound
    var at = arguments.lowerBound
    let inside = bytes.extracting(0..<arguments.upperBound)
    while let element = JSON.next(inside, &at, inObject: false)?.value {
      if let last { before = last.range.end }
      last = element
    }
    guard let last, last.kind == .string,
      SocketIOOffset.isOffset(bytes[last.content], at: time)
    else {
      return arguments.upperBound
    }
    notes.append(Note(.fact, "offset", last.content))
    return before
  }

  /// Declares the packet's exchange.
  private mutating func declare(
    _ packet: SocketIOPacket, _ namespace: UInt64, _ message: inout Message
  ) {
    let (kind, direction) = (packet.kind, message.origin.direction)
    message.first = Link(.shows, "", namespace, space: 0)
    if kind == .connect || kind == .connectError {
      let isAnswer = kind == .connectError || direction == .toClient
      message.first = Link(
        direction == .unknown ? .shows : isAnswer ? .answers : .opens, "", namespace,
        space: SocketIOSessionRules.connectSpace)
    }
    guard let ackID = packet.ackID else { return }
    message.second = Link(.shows, "ack", ackID, space: 0)
    let asked = kind.isAck ? direction.reversed : direction
    let space = AskedSide.space(askedTo: asked)
    let key = sessionRules.ackKey(namespace, ackID, askedTo: asked)
    message.first = Link(kind.isAck ? .answers : .opens, "", key, space: space)
    if kind.isAck && text.value.namespace.count > 1
      && !sessionRules.exchanges.isAsked(WideKey(UInt64(space), key))
    {
      // The event, which would show the namespace, was not captured.
      notes.append(Note(.fact, "namespace", text.value.namespace))
    }
  }

  /// Everything in a client's CONNECT is taken as credentials; in the server's answer, the private
  /// id that recovers the session.
  private mutating func noteSecrets(ofConnect data: ByteRange, _ direction: Direction) {
    let text = self.text
    let bytes = text.value.text.bytes
    var members = JSON.Members(of: ByteRange(bytes.behindSpace(data.start), data.end))
    while let member = members.next(bytes) {
      let key = bytes[member.key]
      if key.equals("sid") && direction != .toServer && parser != .four { continue }
      if key.equals("offset") || direction == .toClient && !key.equals("pid") && !key.equals("sid")
      {
        continue
      }
      note(secret: member.value)
    }
  }

  private mutating func note(secret value: JSONElement) {
    if value.kind == .string {
      if !value.isEmptyContent { notes.append(Note(.secret, "auth", value.content)) }
    } else if !(value.isEmptyContent && (value.kind == .object || value.kind == .array)) {
      notes.append(Note(.secret, "value", value.range))
    }
  }

  /// Values in a namespace's query (parser 4 and older), which applications use as credentials.
  private mutating func noteQuery() {
    let text = self.text
    let (bytes, query) = (text.value.text.bytes, text.value.query)
    if query.isEmpty { return }
    notes.append(Note(.fact, "query", query))
    var at = query.start
    while at < query.end {
      let next = bytes.firstIndex(of: UInt8(ascii: "&"), from: at) ?? query.end
      let end = min(next, query.end)
      if let mark = bytes.firstIndex(of: UInt8(ascii: "="), from: at), mark + 1 < end {
        notes.append(Note(.secret, "query", ByteRange(mark + 1, end)))
      }
      at = end + 1
    }
  }
}
