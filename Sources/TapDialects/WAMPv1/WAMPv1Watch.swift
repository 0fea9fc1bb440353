// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Watches one connection for what its messages break together: answers that nobody asked for,
/// events that nobody subscribed to, messages from the wrong side.
///
/// What is in its tables was seen. What is not was never there only while `knowsAll`.
struct WAMPv1Watch {
  /// A finding that would be false if the client had sent a certain message before, of which bytes
  /// that wait for a hole may be told late.
  private struct Suspicion {
    var finding: Finding
    /// The call or the topic that the client would have named.
    var key: WideKey
  }

  /// Everything since the connection began was captured, could be read, and is remembered.
  private(set) var knowsAll: Bool
  private var hasGaps = false
  private var isWelcomed = false
  private var mustWelcome: Bool
  /// Calls without an answer, and topics that were subscribed to, each with what asked for it.
  private var asked = IDTable<Origin>(minimumCapacity: 1)
  private var suspicions = ContiguousArray<Suspicion>()
  /// Entries that this connection may have; more is taken from what all share.
  private var room: Int
  private let limits: Limits

  init(knowsAll: Bool, limits: Limits) {
    (self.knowsAll, mustWelcome, self.limits) = (knowsAll, knowsAll, limits)
    room = limits.sessionEntries
  }

  /// A message that was told and has no fault of form.
  mutating func look(
    _ array: WAMPv1Array, _ bytes: RawSpan, _ message: Message, _ listener: any Listener
  ) {
    // Pasted text does not say who speaks.
    let direction = message.origin.direction
    guard direction != .unknown, let type = array.type else { return }
    let sender: WAMPv1Type.Sender = direction == .toServer ? .client : .server
    guard type.sender == sender || type.sender == .both else {
      if knowsAll {
        tell(
          .wrongDirection, .error, message,
          "a \(sender == .client ? "client" : "server") does not send \(type.name) of WAMP v1",
          listener)
      }
      return
    }
    if sender == .client { reconsider(message, listener) }
    let key = WideKey(UInt64(message.first.space), message.first.key)
    switch type.code {
    case 0: welcome(array, bytes, message, listener)
    case 2:
      if !insert(key, message.origin, listener) {
        tell(
          .requestIDDuplicate, .error, message,
          "another CALL with this id has no answer yet", listener)
      }
    case 5: _ = insert(key, message.origin, listener)
    case 3, 4:
      if asked.removeValue(for: key) == nil {
        suspect(
          .resultUnknownCall, .error, message,
          "\(type.name), but no CALL with this id waits for an answer", key, listener)
      }
    case 8:
      if asked[key] == nil {
        suspect(
          .v1EventUnsubscribed, .warning, message,
          "EVENT of a topic that this client has not subscribed to", key, listener)
      }
    default: break
    }
    if sender == .server && mustWelcome {
      mustWelcome = false
      if type.code != 0 && knowsAll {
        tell(
          .v1WelcomeMissing, .error, message,
          "the first message of a server must be WELCOME; this is \(type.name)", listener)
      }
    }
  }

  private mutating func welcome(
    _ array: WAMPv1Array, _ bytes: RawSpan, _ message: Message, _ listener: any Listener
  ) {
    if isWelcomed {
      tell(.welcomeTwice, .error, message, "WELCOME, but the session is open", listener)
    }
    isWelcomed = true
    let version = array.range(2)
    if !bytes[version].equals("1") {
      let shown = String(decoding: bytes[version].copied().prefix(20), as: Unicode.UTF8.self)
      tell(
        .v1Version, .warning, message,
        "the server speaks version \(shown) of the protocol, not 1", listener)
    }
  }

  /// A message that could not be read may have been anything.
  mutating func miss() {
    (knowsAll, hasGaps) = (false, true)
    suspicions.removeAll()
    forget()
  }

  /// Whether it was not there yet.
  private mutating func insert(
    _ key: WideKey, _ origin: Origin, _ listener: any Listener
  ) -> Bool {
    // Answered before it was told.
    if let place = suspicions.firstIndex(where: { $0.key == key }) {
      let isCall = key.high == UInt64(WAMPv1Links.Space.call)
      suspicions.remove(at: place)
      if isCall { return true }
    }
    if asked.count >= room {
      if limits.watchedEntries.take(room) {
        room *= 2
      } else {
        forget()
        // What was forgotten must not be called unknown.
        if knowsAll { listener.count(.sessionUnwatched, 1) }
        (knowsAll, hasGaps) = (false, true)
      }
    }
    return asked.insert(origin, for: key).isNew
  }

  private mutating func forget() {
    asked = IDTable(minimumCapacity: 1)
    limits.watchedEntries.give(room - limits.sessionEntries)
    room = limits.sessionEntries
  }

  /// The connection, or the evidence, ends.
  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    for suspicion in suspicions { listener.finding(suspicion.finding) }
    suspicions.removeAll()
    defer { forget() }
    if hasGaps { return }
    var open: [(key: UInt64, since: Origin)] = []
    asked.forEach { key, origin in
      if key.high == UInt64(WAMPv1Links.Space.call) { open.append((key.low, origin)) }
    }
    let isEnd = ending == .endOfEvidence
    for call in open.sorted(by: { $0.since.isBefore($1.since) }) {
      var finding = Finding(
        .callUnanswered, isEnd ? .note : .warning, delivery.origin, "CALL")
      finding.about = Link(.opens, "", call.key, space: WAMPv1Links.Space.call)
      finding.remainder = isEnd ? " had no answer when the evidence ended" : " was never answered"
      listener.finding(finding)
    }
  }

  // MARK: - Telling

  private func tell(
    _ code: Finding.Code, _ severity: Finding.Severity, _ message: Message, _ text: String,
    _ listener: any Listener
  ) {
    listener.finding(
      Finding(code, severity, message.origin, text, isAboutLastMessage: true))
  }

  /// Tells it unless the client turns out to have asked before.
  private mutating func suspect(
    _ code: Finding.Code, _ severity: Finding.Severity, _ message: Message, _ text: String,
    _ key: WideKey, _ listener: any Listener
  ) {
    if !knowsAll { return }
    if suspicions.count >= limits.findingsPerCode {
      listener.finding(suspicions.removeFirst().finding)
    }
    suspicions.append(
      Suspicion(finding: Finding(code, severity, message.origin, text), key: key))
  }

  /// The client goes on: what it does not explain now, it never will.
  private mutating func reconsider(_ message: Message, _ listener: any Listener) {
    if suspicions.isEmpty { return }
    for suspicion in suspicions where !message.origin.isBefore(suspicion.finding.origin) {
      listener.finding(suspicion.finding)
    }
    suspicions.removeAll { !message.origin.isBefore($0.finding.origin) }
  }
}
