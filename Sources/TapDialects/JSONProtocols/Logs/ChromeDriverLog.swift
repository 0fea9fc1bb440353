// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The verbose log of chromedriver, the client of Chrome: a line says what was sent, and ends with
/// its parameters, its result or its error, whose members stand on the lines below.
///
///     [1795885109.782][DEBUG]: DevTools WebSocket Command: Page.enable (id=4) (session_id=8F) T {
///     }
struct ChromeDriverLog: NarratedLog {
  /// A message whose value continues on the lines below.
  private struct Pending {
    var head: ChromeDriverHead
    var origin: Origin
    var value = NarratedValue()
  }

  private(set) var isKnown = false
  private var pending: Pending?
  private var browsers = ChromeDriverBrowsers()
  private var scanner: JSONScanner

  init(limits: Limits) { scanner = JSONScanner(maximumDepth: limits.nesting) }

  var waiting: Origin? { pending?.origin }

  func mayReport(_ line: RawSpan) -> Bool { ChromeDriverHead.mayBegin(line) }

  mutating func look(at line: RawSpan) -> Bool {
    guard ChromeDriverHead(line) != nil else { return false }
    isKnown = true
    return true
  }

  mutating func read(
    _ line: RawSpan, _ origin: Origin, _ narrations: inout ContiguousArray<Narration>
  ) -> Bool {
    if let head = ChromeDriverHead(line) {
      settle(&narrations)
      pending = Pending(head: head, origin: origin)
      take(line.dropping(head.length), &narrations)
      return true
    }
    guard let waiting = pending else { return false }
    guard let margin = waiting.head.margin.end(in: line),
      NarratedValue.goesOn(line.dropping(margin))
    else {
      settle(&narrations)
      return false
    }
    take(line.dropping(margin), &narrations)
    return true
  }

  private mutating func take(_ line: RawSpan, _ narrations: inout ContiguousArray<Narration>) {
    pending!.value.take(line)
    if !pending!.value.isOpen { settle(&narrations) }
  }

  mutating func settle(_ narrations: inout ContiguousArray<Narration>) {
    guard let message = pending.take() else { return }
    let head = message.head
    var value = ChromeDriverValue(message.value.bytes.span.bytes)
    let isScanned = scanner.scan(value.text.span.bytes) == value.text.count
    if !isScanned { value = .unread }
    var text = TextBuffer(capacity: 256)
    head.write(value.text.span.bytes, to: &text)
    let bytes = text.bytes.copied()
    let event: Narration.Event = value.isCut ? .abridged(bytes) : .message(bytes)
    let wasMixed = browsers.isMixed
    report(event, message, of: browsers.name(of: head), begins: head.begins, &narrations)
    if browsers.isMixed && !wasMixed {
      report(.alsoMixed, message, of: browsers.newestName, begins: false, &narrations)
    }
    if isScanned, head.opensSession, let session = session(in: value.text.span.bytes) {
      browsers.note(session: session, reportedBy: head)
    }
  }

  private func report(
    _ event: Narration.Event, _ message: Pending, of connection: String, begins: Bool,
    _ narrations: inout ContiguousArray<Narration>
  ) {
    var origin = message.origin
    origin.direction = message.head.direction
    narrations.append(
      Narration(
        program: "chromedriver", dialect: "cdp", connection: connection, begins: begins,
        origin: origin, event: event))
  }

  /// The `sessionId` of the last scanned value.
  private func session(in value: RawSpan) -> [UInt8]? {
    for place in 0..<scanner.members.count {
      let member = scanner.members[place]
      guard value[member.key].equals("sessionId"), member.value.kind == .string else { continue }
      return value[member.value.content].copied()
    }
    return nil
  }
}
