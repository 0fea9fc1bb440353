// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// What of one message is needed to trace publications and calls.
struct TraceMessage {
  var message: Message
  var joined: Joined
  var moment: TraceMoment
  var distribution: Distribution?
  /// Empty where it is not known, or not whole.
  var subject: [UInt8]
  /// Why it failed; empty unless it says so.
  var reason: [UInt8]
  /// A digest of the payload, the same in any serializer.
  var payload: UInt64
  /// What messages of one publication share; nil without.
  var shared: UInt64?
  var isSelected: Bool
  /// The line of the message.
  var line: [UInt8]

  var name: String { message.name.description }

  init(_ message: Message, _ view: MessageView, _ detail: Detail, line: [UInt8], isSelected: Bool) {
    (self.message, joined, self.line) = (message, view.joined, line)
    moment = TraceMoment(index: view.joined.index, origin: message.origin)
    distribution = detail.distribution
    subject = view.isSubjectCut(of: message) ? [] : view.subject.copied()
    self.isSelected = isSelected
    reason = view.bytes[message.reason].copied()
    payload = Self.digest(message, view.bytes)
    for number in 0..<3 where message.link(number).role == .shares {
      shared = message.link(number).key
    }
  }

  /// Another leg may have the same payload in other words: in another serializer, in another order.
  private static func digest(_ message: Message, _ bytes: RawSpan) -> UInt64 {
    guard message.traits.contains(.isJSON), !message.traits.contains(.isQuoted) else {
      return bytes[message.payload].fingerprint
    }
    let arguments =
      message.payload.isEmpty ? JSONDigest.emptyList : JSONDigest.of(bytes, message.payload)
    let keywords =
      message.keywords.isEmpty ? JSONDigest.emptyObject : JSONDigest.of(bytes, message.keywords)
    return arguments &* 31 &+ keywords
  }

  /// It may be any message, or an answer or a delivery of any other: pieces of it were not
  /// captured.
  var isUnread: Bool {
    let traits = message.traits
    let isIncomplete =
      traits.contains(.isPartial) || traits.contains([.isUnclaimed, .hidesText])
    let isPlaced = message.first.role == .opens || joined.answers > 0 || shared != nil
    return isIncomplete && !isPlaced
  }

  /// What opens an exchange that is answered, and is neither a subscription nor about a session.
  var asks: Bool {
    guard message.asksForAnswer else { return false }
    return distribution.map { $0.act == .calls || $0.act == .invokes } ?? true
  }

  /// Whether a router passes on what somebody else has asked.
  var isPassedOn: Bool {
    message.origin.direction == .toClient || message.second.role == .refers
  }
}
