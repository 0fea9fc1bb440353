// SPDX-License-Identifier: Apache-2.0

/// When evidence that arrives as it happens is decided on as far as it has come: so long after the
/// first of what waits. Keeps no clock; it is told what time it is.
public struct Settling: Sendable {
  /// Nanoseconds.
  private let patience: UInt64
  /// Where what waits begins.
  private var place: UInt64?
  /// When it has waited long enough; nil while nothing waits, and once it was settled.
  public private(set) var due: UInt64?

  public init(patience: Int64) { self.patience = UInt64(max(patience, 0)) }

  /// Whether what waits is to be settled now; answered once.
  ///
  /// - Parameter waiting: where it begins; nil for none.
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
