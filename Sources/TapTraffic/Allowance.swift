// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How much of something all connections together may still take, where each has tables of its
/// own: many small ones are no less than a large one.
public final class Allowance: Sendable {
  private let left: Atomic<Int>
  private let whole: Int

  public init(_ amount: Int) {
    whole = amount
    left = Atomic(amount)
  }

  /// Whether there was as much; if so, it is taken.
  public func take(_ amount: Int) -> Bool {
    let (_, now) = left.subtract(amount, ordering: .relaxed)
    if now >= 0 { return true }
    give(amount)
    return false
  }

  /// How much of it there is to be taken.
  public var rest: Int { max(0, left.load(ordering: .relaxed)) }

  /// Not more than half of it was taken.
  public var isAmple: Bool { rest >= whole / 2 }

  /// Takes what was needed already, even if it was more than there was; less than nothing gives
  /// back.
  public func spend(_ amount: Int) { left.subtract(amount, ordering: .relaxed) }

  public func give(_ amount: Int) { left.add(amount, ordering: .relaxed) }

  /// One of it, given back when nothing holds it any more; nil when there is none.
  public final class Share: Sendable {
    private let allowance: Allowance

    public init?(of allowance: Allowance) {
      guard allowance.take(1) else { return nil }
      self.allowance = allowance
    }

    deinit { allowance.give(1) }
  }
}
