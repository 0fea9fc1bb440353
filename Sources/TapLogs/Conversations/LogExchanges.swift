// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What was asked and granted in a conversation.
struct LogExchanges {
  /// How many requests are remembered, and how many grants.
  private static let most = 1024

  /// Requests that wait, each with its `LogEntry.text`.
  private var asked = IDTable<UInt64>(minimumCapacity: 1)
  /// Subscriptions and registrations.
  private var granted = IDTable<Bool>(minimumCapacity: 1)
  /// The request that was answered last; 0 for none.
  private var answered: UInt64 = 0
  /// The highest id of what clients ask, which count up (WAMP, "Protocol Scope of IDs").
  private var lastRequest: UInt64 = 0
  /// Lines are missing, as ids say.
  private var hasSkipped = false

  /// Whether any request of the client waits for its answer.
  var areWaiting: Bool {
    var isAny = false
    asked.forEach { request, _ in isAny = isAny || request.high == LogEntry.client }
    return isAny
  }

  /// Whether a request waits for its answer.
  func isOpen(_ request: WideKey) -> Bool { request.low != 0 && asked[request] != nil }

  /// Whether a request that waits for its answer is printed once more.
  func isPrintedAgain(_ entry: LogEntry) -> Bool { asked[entry.opens] == entry.text }

  /// Whether a request waits for its answer, or has got the last one, whichever side has asked.
  func hasAsked(_ request: WideKey) -> Bool {
    isOpen(request) || isOpen(WideKey(1 - request.high, request.low))
      || request.low != 0 && request.low == answered
  }

  /// Whether an answer is awaited.
  func awaits(_ entry: LogEntry) -> Bool { request(answeredBy: entry) != nil }

  /// The request that an answer is for. Where lines do not say who sends, or the one who has asked
  /// ends it, it is one of the same side.
  private func request(answeredBy entry: LogEntry) -> WideKey? {
    let request = entry.answers
    if isOpen(request) { return request }
    let other = WideKey(1 - request.high, request.low)
    return isOpen(other) ? other : nil
  }

  /// Whether the subscription or registration that a message is delivered under was granted here.
  func holds(_ grant: UInt64) -> Bool { granted[WideKey(0, grant)] != nil }

  /// Whether a request has the id of one that was before it: it is of another session.
  func repeats(_ recognition: Recognition) -> Bool {
    recognition.sequence != 0 && recognition.sequence <= lastRequest
  }

  /// Whether ids were passed over: lines are missing, since ids count up by one. Reported once.
  mutating func skips(_ recognition: Recognition) -> Bool {
    guard !hasSkipped, recognition.sequence > lastRequest + 1 else { return false }
    hasSkipped = true
    return true
  }

  mutating func note(_ entry: LogEntry) {
    let recognition = entry.recognition
    lastRequest = recognition.begins ? 0 : max(lastRequest, recognition.sequence)
    if recognition.begins { granted = IDTable(minimumCapacity: 1) }
    if recognition.grants != 0 { Self.remember(WideKey(0, recognition.grants), true, &granted) }
    if recognition.opens != 0 && !entry.isBesideAnswer {
      Self.remember(entry.opens, entry.text, &asked)
    }
    if recognition.answers != 0, let request = request(answeredBy: entry) {
      _ = asked.removeValue(for: request)
      answered = request.low
    }
  }

  private static func remember<Value>(
    _ id: WideKey, _ value: Value, _ table: inout IDTable<Value>
  ) {
    if table.count >= most { table = IDTable(minimumCapacity: 1) }
    table[id] = value
  }
}
