// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A budget that all connections share, where each has tables of its own: a bound per connection
/// would not limit what many small connections take together.
public final class Allowance: Sendable {
  private let left: Atomic<Int>
  private let whole: Int

  public init(_ amount: Int) {
    whole = amount
    left = Atomic(amount)
  }

  /// Takes `amount` if that much is left; false, and nothing taken, if not.
  public func take(_ amount: Int) -> Bool {
    let (_, now) = left.subtract(amount, ordering: .relaxed)
    if now >= 0 { return true }
    give(amount)
    return false
  }

  /// How much is left.
  public var rest: Int { max(0, left.load(ordering: .relaxed)) }

  /// At least half is left.
  public var isAmple: Bool { rest >= whole / 2 }

  /// Takes an amount that was already used, even if less than that is left. A negative amount is
  /// given back.
  public func spend(_ amount: Int) { left.subtract(amount, ordering: .relaxed) }

  public func give(_ amount: Int) { left.add(amount, ordering: .relaxed) }

  /// One unit, given back when its last owner lets go of it; nil when none is left.
  public final class Share: Sendable {
    private let allowance: Allowance

    public init?(of allowance: Allowance) {
      guard allowance.take(1) else { return nil }
      self.allowance = allowance
    }

    deinit { allowance.give(1) }
  }
}
