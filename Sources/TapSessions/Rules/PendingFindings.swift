// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Findings that would be false if the other side had sent a certain message before. That is
/// possible, as bytes that wait for a missing segment are reported late: a finding is reported only
/// when the other side goes on, and never when the missing bytes were lost.
public struct PendingFindings<Cure> {
  /// What a message says of a finding.
  public enum Verdict {
    /// Nothing: a later one may explain it.
    case open
    /// It is true.
    case confirmed
    /// It would be false.
    case explained
  }

  @usableFromInline struct Pending {
    @usableFromInline var finding: Finding
    /// The message that would make it false.
    @usableFromInline var cure: Cure

    @inlinable init(_ finding: Finding, _ cure: Cure) {
      (self.finding, self.cure) = (finding, cure)
    }
  }

  @usableFromInline var pending = ContiguousArray<Pending>()
  @usableFromInline let most: Int

  /// - Parameter most: the limit; beyond it, the oldest is reported.
  @inlinable public init(most: Int) { self.most = most }

  @inlinable public var isEmpty: Bool { pending.isEmpty }

  @inlinable public mutating func add(
    _ finding: Finding, unless cure: Cure, _ listener: any Listener
  ) {
    if pending.count >= most { listener.finding(pending.removeFirst().finding) }
    pending.append(Pending(finding, cure))
  }

  /// Reports those that `verdict` confirms, and drops those that it explains.
  @inlinable public mutating func reconsider(
    _ listener: any Listener, _ verdict: (Finding, Cure) -> Verdict
  ) {
    pending.removeAll { one in
      let verdict = verdict(one.finding, one.cure)
      if verdict == .confirmed { listener.finding(one.finding) }
      return verdict != .open
    }
  }

  /// Drops the oldest that this explains.
  ///
  /// - Returns: whether there was one.
  @inlinable public mutating func explain(first isCure: (Cure) -> Bool) -> Bool {
    guard let place = pending.firstIndex(where: { isCure($0.cure) }) else { return false }
    pending.remove(at: place)
    return true
  }

  /// Reports all: no message can explain them any more.
  @inlinable public mutating func report(_ listener: any Listener) {
    for one in pending { listener.finding(one.finding) }
    pending.removeAll()
  }

  /// Drops all: the messages that explain them may have been missed.
  @inlinable public mutating func forget() { pending.removeAll() }
}
