// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// What messages of an application are called, as the names of their members say.
struct JSONNames {
  private var words: RecentSymbols
  private var members = JSONRoles.KnownNames()
  /// A kind found no room among those that are kept.
  private var (lacksRoom, hasReportedSo) = (false, false)

  init(limits: Limits) { words = RecentSymbols(most: limits.kindNames) }

  /// The message that an object is, without the exchange it may belong to.
  ///
  /// - Parameter scanner: has read the object, and nothing else.
  mutating func message(
    _ scanner: borrowing JSONScanner, _ bytes: RawSpan, _ delivery: Delivery
  ) -> (message: Message, roles: JSONRoles) {
    let roles = JSONRoles(scanner.members, bytes, &members)
    var name: Symbol = "JSON"
    // In the application's own spelling.
    if let kind = roles.kind { name = symbol(bytes[scanner.members[kind].value.text], or: name) }
    var message = Message("json", name, delivery.origin)
    message.traits = scanner.traits(of: delivery.kind).union(.isInferred)
    message.sentBytes = delivery.sentBytes
    if roles.isFailure { message.traits.insert(.isFailure) }
    message.payload = scanner.elements[0].range
    if let subject = roles.subject { message.subject = scanner.members[subject].value.content }
    return (message, roles)
  }

  mutating func symbol(_ text: RawSpan, or other: Symbol) -> Symbol {
    if let symbol = words.symbol(text) { return symbol }
    lacksRoom = true
    return other
  }

  /// Says once that kinds are not called by their names any more.
  mutating func reportLackOfRoom(_ delivery: Delivery, _ listener: any Listener) {
    guard lacksRoom && !hasReportedSo else { return }
    hasReportedSo = true
    listener.remark(
      .jsonTooManyKinds, .note, delivery.origin,
      "there are more kinds of messages than are kept: further ones are called JSON")
  }
}
