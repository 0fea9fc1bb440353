// SPDX-License-Identifier: Apache-2.0

/// Decides when live evidence that waits is settled with what has come: `patience` after it began
/// to wait. It has no clock; the caller passes the time.
public struct Settling: Sendable {
  /// Nanoseconds.
  private let patience: UInt64
  /// Offset at which the waiting evidence begins.
  private var place: UInt64?
  /// When it will have waited long enough; nil when nothing waits, or it was settled.
  public private(set) var due: UInt64?

  public init(patience: Int64) { self.patience = UInt64(max(patience, 0)) }

  /// Whether it is time to settle; true only once for the same evidence.
  ///
  /// - Parameter waiting: the offset at which it begins; nil for none.
  public mutating func isDue(_ waiting: UInt64?, at now: UInt64) -> Bool {
    if waiting != place {
      place = waiting
      due = waiting.map { _ in now + patience }
    }
    guard let due, now >= due else { return false }
    self.due = nil
    return true
  }
}
