// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapSessions
import TapTraffic

/// Reads the Socket.IO packets of one session over any transports: inserts attachments, joins acks
/// with their events, and watches namespaces.
struct SocketIOReader {
  /// The result for a text.
  enum Outcome {
    case reported
    /// Not a Socket.IO packet; the text gives the violated rule.
    case other(StaticString)
  }

  /// The parser version, as far as known.
  enum Parser { case unknown, four, five }

  var scanner: JSONScanner
  var notes = ContiguousArray<Note>()
  /// The text of the current packet.
  let text = Cell(SocketIOText())
  /// The namespace and event name of the current packet.
  let subject = Cell(TextBuffer(capacity: 64))
  var sessionRules: SocketIOSessionRules
  /// Parser 4 is used with Engine.IO 3 and older, parser 5 with Engine.IO 4.
  var parser = Parser.unknown
  /// A packet of Socket.IO was seen.
  private(set) var isSpoken: Bool
  /// The packets are MessagePack, one per binary message.
  private(set) var isMessagePack = false
  /// The session began with polling, and a request that is lost is not missed where its connection
  /// showed no other before.
  let mayLackRequests: Bool
  private let toServer: Cell<SocketIOPending>
  private let toClient: Cell<SocketIOPending>
  let serialized: Cell<SocketIOSerialized>

  /// - Parameters:
  ///   - knowsAll: everything since the beginning of the session was captured.
  ///   - isSpoken: the session is known to speak Socket.IO.
  ///   - mayLackRequests: requests may be lost on connections that show no others.
  init(
    knowsAll: Bool, isSpoken: Bool = false, mayLackRequests: Bool = false, limits: Limits
  ) {
    self.mayLackRequests = mayLackRequests
    scanner = JSONScanner(maximumDepth: limits.nesting)
    sessionRules = SocketIOSessionRules(
      knowsAll: knowsAll, isSpanning: mayLackRequests, limits: limits)
    self.isSpoken = isSpoken
    toServer = Cell(SocketIOPending(limits: limits))
    toClient = Cell(SocketIOPending(limits: limits))
    serialized = Cell(SocketIOSerialized(limits: limits))
  }

  private func pending(_ direction: Direction) -> Cell<SocketIOPending> {
    direction == .toClient ? toClient : toServer
  }

  /// The next packet of one direction.
  ///
  /// - Parameters:
  ///   - sent: the message that carries it.
  ///   - start: the offset of the packet in it.
  mutating func receive(
    text sent: RawSpan, from start: Int, _ delivery: Delivery, _ listener: any Listener
  ) -> Outcome {
    interrupt(delivery, listener)
    let bytes = sent.dropping(start)
    var fault: StaticString = ""
    guard let packet = SocketIOPacket(bytes, &fault) else { return .other(fault) }
    if !packet.data.isEmpty,
      scanner.scan(bytes, from: packet.data.start) != bytes.byteCount
    {
      return .other("what stands behind its head is not one JSON text")
    }
    let formFault = packet.fault(scanner)
    if let formFault, !isSpoken { return .other(formFault) }
    if formFault == nil { isSpoken = true }
    // Pasted packets stand alone.
    let waits = packet.attachments > 0 && delivery.origin.direction != .unknown
    if waits, formFault == nil,
      pending(delivery.origin.direction).value.begin(packet, sent, from: start, delivery)
    {
      return .reported
    }
    text.value.make(packet, bytes)
    let shift = text.value.data.start - packet.data.start
    listener.sent(sent, trailing: 0, as: "Socket.IO")
    report(packet, shift: shift, formFault, delivery, listener)
    return .reported
  }

  /// An attachment for the pending packet of its direction; false when there is none.
  mutating func receive(
    attachment: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    let pending = pending(delivery.origin.direction)
    guard pending.value.isOpen else { return false }
    guard pending.value.append(attachment) else {
      finish(pending, delivery, listener)
      listener.remark(
        .sioAttachmentsTooLarge, .warning, delivery.origin,
        "its attachments find no room: from the next on they are shown on their own")
      return false
    }
    if pending.value.isWhole { finish(pending, delivery, listener) }
    return true
  }

  /// Another packet comes before the announced attachments (socket.io-protocol, "Binary").
  private mutating func interrupt(_ delivery: Delivery, _ listener: any Listener) {
    let pending = pending(delivery.origin.direction)
    guard pending.value.isOpen else { return }
    let (due, have) = (pending.value.announced, pending.value.ends.count)
    finish(pending, pending.value.delivery, listener)
    listener.remark(
      .sioAttachmentInterrupted, .error, delivery.origin,
      "the next packet came after \(have) of its \(due) attachments")
  }

  /// Reports a packet with the attachments that came.
  private mutating func finish(
    _ pending: Cell<SocketIOPending>, _ delivery: Delivery, _ listener: any Listener
  ) {
    let packet = pending.value.packet
    let isWhole = pending.value.isWhole
    // All that may be held fits once, in base64.
    text.value.make(
      packet, pending.value.bytes.bytes.dropping(pending.value.start), pending.value,
      most: pending.value.most * 2)
    // Inserted attachments have shifted everything after them.
    let text = self.text
    let isRead = scanner.scan(text.value.text.bytes, from: text.value.data.start) != nil
    let fault =
      isRead ? packet.fault(scanner) : "its attachments could not be put into their places"
    listener.sent(pending.value.bytes.bytes, trailing: 0, as: "Socket.IO")
    var reported = delivery
    reported.origin.direction = pending.value.delivery.origin.direction
    reported.kind = .text
    let (bad, isAnyUnused) = (text.value.badPlaceholders, text.value.isAnyUnused)
    let isOverfull = text.value.isOverfull
    report(packet, shift: 0, fault, reported, listener)
    pending.value.end()
    if bad > 0 {
      listener.remark(
        .sioPlaceholderInvalid, .error, reported.origin,
        bad == 1
          ? "a placeholder names no attachment of this packet"
          : "\(bad) placeholders name no attachment of this packet")
    }
    if isOverfull {
      listener.remark(
        .sioAttachmentsTooLarge, .warning, reported.origin,
        "its placeholders name attachments so often that they find no room: they stand as sent")
    }
    if isWhole && isAnyUnused {
      listener.remark(
        .sioPlaceholderUnused, .note, reported.origin, "no placeholder names one of them")
    }
  }

  /// One packet in MessagePack (socket.io-msgpack-parser); false when the bytes are something else.
  mutating func receive(
    serialized bytes: RawSpan, from start: Int, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    guard let packet = serialized.value.read(bytes.dropping(start)) else { return false }
    isMessagePack = true
    isSpoken = true
    serialized.value.make(text)
    let text = self.text
    if !text.value.data.isEmpty {
      scanner.scan(text.value.text.bytes, from: text.value.data.start)
    }
    listener.sent(bytes, trailing: 0, as: "MessagePack")
    var reported = delivery
    reported.kind = .text
    report(packet, shift: 0, packet.fault(scanner), reported, listener)
    return true
  }

  /// Bytes of one direction are missing or unreadable.
  mutating func gap(_ delivery: Delivery, _ listener: any Listener) {
    sessionRules.miss(delivery.origin.direction)
    for direction in [Direction.toServer, .toClient]
    where delivery.origin.direction == direction || delivery.origin.direction == .unknown {
      let pending = pending(direction)
      guard pending.value.isOpen else { continue }
      reportMissing(pending, .note, "were not captured", listener)
    }
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    if ending == .half { return }
    for pending in [toServer, toClient] where pending.value.isOpen {
      let isSure = sessionRules.knowsAll && ending != .endOfEvidence
      reportMissing(
        pending, isSure ? .error : .note,
        ending == .endOfEvidence ? "had not come when the input ended" : "never came", listener)
    }
    sessionRules.finish(ending, delivery, listener)
  }

  private mutating func reportMissing(
    _ pending: Cell<SocketIOPending>, _ severity: Finding.Severity, _ words: StaticString,
    _ listener: any Listener
  ) {
    let delivery = pending.value.delivery
    let (due, have) = (pending.value.announced, pending.value.ends.count)
    finish(pending, delivery, listener)
    listener.remark(
      .sioAttachmentMissing, severity, delivery.origin,
      "\(due - have) of its \(due) attachments \(words)")
  }
}
