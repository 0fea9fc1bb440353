// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Findings that are not reported yet, as a message of the other side may explain them.
struct WAMPPendingFindings {
  private var pending = ContiguousArray<WAMPPendingFinding>()
  /// The limit; beyond it, the oldest is reported.
  private let most: Int

  init(limits: Limits) { most = limits.findingsPerCode }

  var isEmpty: Bool { pending.isEmpty }

  /// Reports a finding later, unless a message of the other side explains it.
  @inline(never)
  mutating func suspect(
    _ code: Finding.Code, _ severity: Finding.Severity, _ message: borrowing Message,
    _ text: String, unless cure: WAMPPendingFinding.Cure, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    if pending.count >= most { listener.finding(pending.removeFirst().finding) }
    pending.append(
      WAMPPendingFinding(
        finding: context.finding(code, severity, message.origin, text), cure: cure))
  }

  /// A message of the other side: reports the findings that it follows in time, and drops those
  /// that it explains, if it was sent before them but reported late.
  ///
  /// - Returns: whether the message explains a finding and was answered already.
  mutating func reconsider(
    _ code: UInt64, _ message: borrowing Message, _ listener: any Listener
  ) -> Bool {
    var left = ContiguousArray<WAMPPendingFinding>()
    var isAnswered = false
    for suspicion in pending {
      if suspicion.finding.origin.direction == message.origin.direction {
        left.append(suspicion)
      } else if !message.origin.isBefore(suspicion.finding.origin) {
        listener.finding(suspicion.finding)
      } else if suspicion.isCured(by: code, message.first, message.second) {
        if case .request = suspicion.cure { isAnswered = true }
      } else {
        left.append(suspicion)
      }
    }
    pending = left
    return isAnswered
  }

  /// Reports all: no message can explain them any more.
  mutating func report(_ listener: any Listener) {
    for suspicion in pending { listener.finding(suspicion.finding) }
    pending.removeAll()
  }

  /// Drops all: the messages that explain them may have been missed.
  mutating func forget() { pending.removeAll() }
}
