// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What was asked and granted in a conversation.
struct LogExchanges {
  /// How many requests are remembered, and how many grants.
  private static let most = 1024

  private var asked = IDTable<Bool>(minimumCapacity: 1)
  /// Subscriptions and registrations.
  private var granted = IDTable<Bool>(minimumCapacity: 1)
  /// The highest id of what clients ask, which count up (WAMP, "Protocol Scope of IDs").
  private var lastRequest: UInt64 = 0
  /// Lines are missing, as ids say.
  private var hasSkipped = false

  /// Whether any request waits for its answer.
  var areWaiting: Bool { asked.count > 0 }

  /// Whether an answer is awaited.
  func awaits(_ exchange: UInt64) -> Bool { asked[WideKey(0, exchange)] != nil }

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

  mutating func note(_ recognition: Recognition) {
    lastRequest = recognition.begins ? 0 : max(lastRequest, recognition.sequence)
    if recognition.begins { granted = IDTable(minimumCapacity: 1) }
    if recognition.grants != 0 { Self.remember(recognition.grants, in: &granted) }
    if recognition.opens != 0 { Self.remember(recognition.opens, in: &asked) }
    if recognition.answers != 0 { _ = asked.removeValue(for: WideKey(0, recognition.answers)) }
  }

  private static func remember(_ id: UInt64, in table: inout IDTable<Bool>) {
    if table.count >= most { table = IDTable(minimumCapacity: 1) }
    table[WideKey(0, id)] = true
  }
}
