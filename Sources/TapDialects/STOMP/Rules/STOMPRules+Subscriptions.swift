// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Subscriptions, acknowledgements and transactions.
extension STOMPRules {
  private typealias Subscription = STOMPSubscriptions.Subscription
  private typealias Space = STOMPSession.Space

  private static func key(_ header: STOMPFrame.Header, _ bytes: RawSpan) -> UInt64 {
    bytes[header.shown].fingerprint
  }

  mutating func subscribe(
    _ frame: STOMPFrame, _ bytes: RawSpan, _ version: STOMPVersion, _ report: Report
  ) {
    guard let named = frame.first(.id) ?? frame.first(.destination) else { return }
    let key = Self.key(named, bytes)
    let destination = frame.first(.destination)
    var mode = STOMPSubscriptions.Mode.auto
    if let ack = frame.first(.ack) {
      let word = bytes[ack.shown]
      if word.equals("client") {
        mode = .client
      } else if word.equals("client-individual") {
        mode = .individual
        if version == .v10 && knowsAll { reportVersion("client-individual", report) }
      } else if !word.equals("auto") {
        report(
          .stompAckModeUnknown, .error,
          "ack is \(STOMPMessageRules.text(word)): auto, client or client-individual belongs there")
      }
    }
    var one = Subscription(
      id: frame.first(.id).map { STOMPMessageRules.text(bytes[$0.shown]) } ?? "",
      destination: destination.map { STOMPMessageRules.text(bytes[$0.shown]) } ?? "",
      place: destination.map { Self.key($0, bytes) } ?? 0, mode: mode)
    one.prefetch = frame.first(.prefetchCount).flatMap { STOMPFrame.number(bytes[$0.shown]) } ?? 0
    if let other = subscriptions.first(at: one.place, besides: one.id) {
      report(
        .stompSubscribeDuplicate, .note,
        "\(one.destination) is subscribed to already, as \(other.id): each message of a topic comes"
          + " twice, and those of a queue are shared out")
    }
    let unnamed = frame.has(.id) ? nil : destination.map { bytes[$0.shown].copied() }
    if subscriptions.add(one, key, unnamedAt: unnamed) {
      report(
        .stompSubscriptionDuplicate, .error,
        "the id \(one.id) is in use by another subscription of this connection")
    }
    explain(WideKey(UInt64(Space.subscription), key))
  }

  mutating func unsubscribe(_ frame: STOMPFrame, _ bytes: RawSpan, _ report: Report) {
    guard let named = frame.first(.id) ?? frame.first(.destination) else { return }
    let key = Self.key(named, bytes)
    if let one = subscriptions[key], one.closed == nil {
      if one.open > 0 {
        self.report(unacknowledged: one, "when it was given back", isLast: true, report)
      }
      return subscriptions.close(key, at: report.origin.time)
    }
    if !knowsAll || subscriptions.hasForgottenSubscriptions || frame.isOfDurable { return }
    let other = subscriptions.open.first { $0.place == key }
    let hint = other.map { "; that is a destination, whose SUBSCRIBE has the id \($0.id)" } ?? ""
    report(
      .stompUnsubscribeUnknown, .warning,
      "no subscription with the id \(STOMPMessageRules.text(bytes[named.shown])) is open\(hint)")
  }

  mutating func deliver(
    _ frame: STOMPFrame, _ bytes: RawSpan, _ version: STOMPVersion, _ report: Report
  ) {
    if let again = frame.first(.redelivered), bytes[again.shown].equals("true") {
      report(
        .stompRedelivered, .note,
        "this message was delivered before, and was not acknowledged then")
    }
    guard let named = frame.first(.subscription) ?? frame.first(.destination),
      let key = subscriptions.key(of: frame, bytes)
    else { return }
    guard let state = subscriptions.state(of: key) else {
      return reportUnknown(named, key, bytes, report)
    }
    if let closed = state.closed {
      if let one = subscriptions[key] { reportLate(one, since: closed, report) }
      return
    }
    if state.mode == .auto && frame.first(.ack) == nil { return }
    guard
      let message = STOMPSubscriptions.key(ofDelivered: frame, by: key, bytes, version)
    else { return }
    subscriptions.deliver(key, message)
    explain(WideKey(UInt64(Space.delivery), message))
    guard let id = frame.first(.messageID) else { return }
    // By an ACK that does not name the subscription.
    explain(WideKey(UInt64(Space.delivery), Self.key(id, bytes)))
  }

  private mutating func reportUnknown(
    _ named: STOMPFrame.Header, _ key: UInt64, _ bytes: RawSpan, _ report: Report
  ) {
    // RabbitMQ creates these itself, for reply-to.
    if !knowsAll || subscriptions.hasForgottenSubscriptions
      || bytes[named.shown].starts(with: "/temp-queue/")
    {
      return
    }
    let text =
      "the client never subscribed as \(STOMPMessageRules.text(bytes[named.shown]))"
    suspect(
      Finding(
        .stompMessageUnknown, .error, report.origin, text, isAboutLastMessage: true),
      WideKey(UInt64(Space.subscription), key), report.listener)
  }

  private func reportLate(
    _ one: STOMPSubscriptions.Subscription, since closed: Instant, _ report: Report
  ) {
    guard closed.isKnown && report.origin.time.isKnown else { return }
    let late = report.origin.time.nanoseconds &- closed.nanoseconds
    report(
      .stompAfterUnsubscribe, late > 1_000_000_000 ? .warning : .note,
      "a MESSAGE for \(one.label), \(STOMPHeartBeats.seconds(late)) after its UNSUBSCRIBE")
  }

  mutating func settle(
    _ frame: STOMPFrame, _ bytes: RawSpan, _ version: STOMPVersion, _ report: Report
  ) {
    let transaction = note(inTransaction: frame, bytes, isSend: false, report)
    if version == .v10 && frame.command == .nack && knowsAll { reportVersion("NACK", report) }
    guard let named = (version == .v12 ? frame.first(.id) : nil) ?? frame.first(.messageID),
      let message = subscriptions.key(ofAcknowledged: frame, bytes, version)
    else { return }
    if let transaction, subscriptions.isOpen(message),
      transactions.values[transaction].settles.count < limits.stompDeliveries
    {
      return transactions.values[transaction].settles.append(message)
    }
    let shown = STOMPMessageRules.text(bytes[named.shown])
    let id = shown.isEmpty ? "an empty id" : shown
    let command = frame.command == .nack ? "NACK" : "ACK"
    switch subscriptions.settle(message, reachesAll: isRabbitMQ) {
    case .done: break
    case .twice:
      report(.stompAckTwice, .warning, "\(id) was acknowledged before")
    case .auto(let label): self.report(inAuto: label, command, report)
    case .unknown:
      // In mode auto, MESSAGEs are not remembered.
      if let one = subscriptions.auto(namedBy: frame, bytes) {
        return self.report(inAuto: one.label, command, report)
      }
      if !knowsAll || subscriptions.hasForgottenDeliveries { return }
      if subscriptions.areAuto {
        return report(
          .stompAckInAuto, .warning,
          "\(command) has no effect: no subscription of this connection asks for it (ack auto)")
      }
      let isOfOne = version == .v11 && frame.has(.subscription)
      let place = isOfOne ? "subscription" : "connection"
      suspect(
        Finding(
          .stompAckUnknown, .error, report.origin,
          "\(command) of \(id), which no MESSAGE of this \(place) has"
            + (version == .v12 ? " as its ack header" : " as its message-id"),
          isAboutLastMessage: true),
        WideKey(UInt64(Space.delivery), message), report.listener)
    }
  }

  private func report(inAuto label: String, _ command: String, _ report: Report) {
    report(
      .stompAckInAuto, .warning,
      "\(command) has no effect: messages of \(label) count as taken when they are delivered"
        + " (ack auto)")
  }

  private func reportVersion(_ what: String, _ report: Report) {
    report(
      .stompNotInVersion, .error,
      "STOMP 1.0 has no \(what): ask for 1.1 or 1.2 with accept-version")
  }

  func report(
    unacknowledged one: STOMPSubscriptions.Subscription, _ when: String, isLast: Bool,
    _ report: Report
  ) {
    let messages = one.open == 1 ? "1 message was" : "\(one.open) messages were"
    let prefetch =
      one.prefetch > 0 && one.open >= one.prefetch
      ? "; with prefetch-count \(one.prefetch) the server sends no more" : ""
    report(
      .stompUnacknowledged, .warning,
      "\(messages) not acknowledged \(when), of subscription \(one.label), ack \(one.mode.name)"
        + prefetch, isLast: isLast)
  }

  // MARK: - Transactions

  mutating func judge(transaction frame: STOMPFrame, _ bytes: RawSpan, _ report: Report) {
    guard let named = frame.first(.transaction) else { return }
    let key = Self.key(named, bytes)
    let name = STOMPMessageRules.text(bytes[named.shown])
    if frame.command == .begin {
      if transactions.count >= limits.stompSubscriptions {
        hasForgottenTransactions = true
        return
      }
      let one = Transaction(name: name, number: begunTransactions)
      begunTransactions += 1
      if transactions.updateValue(one, forKey: key) != nil {
        report(.stompTransactionDuplicate, .error, "transaction \(name) is open already")
      }
      return
    }
    guard let one = transactions.removeValue(forKey: key) else {
      return reportUnknown(transaction: name, report)
    }
    if frame.command == .abort { return }
    for message in one.settles {
      _ = subscriptions.settle(message, reachesAll: isRabbitMQ)
    }
  }

  /// Returns the frame's transaction, if it is an open one.
  @discardableResult
  mutating func note(
    inTransaction frame: STOMPFrame, _ bytes: RawSpan, isSend: Bool, _ report: Report
  ) -> Dictionary<UInt64, Transaction>.Index? {
    guard let named = frame.first(.transaction) else { return nil }
    guard let index = transactions.index(forKey: Self.key(named, bytes)) else {
      reportUnknown(transaction: STOMPMessageRules.text(bytes[named.shown]), report)
      return nil
    }
    if isSend {
      transactions.values[index].sends += 1
    } else {
      transactions.values[index].acks += 1
    }
    return index
  }

  private func reportUnknown(transaction name: String, _ report: Report) {
    if !knowsAll || hasForgottenTransactions { return }
    report(
      .stompTransactionUnknown, .error,
      "transaction \(name) is not open: BEGIN was not sent, or it has ended")
  }
}
