// SPDX-License-Identifier: Apache-2.0

/// What one connection has reserved of an allowance that all connections share, for a message that
/// is being assembled or for bytes that wait. It is given back when the last owner lets go of it.
public struct Reservation: Sendable {
  /// Gives the amount back when it is released, however the connection ends.
  private final class Taken: Sendable {
    let allowance: Allowance
    let amount: Int

    init(_ allowance: Allowance, _ amount: Int) {
      (self.allowance, self.amount) = (allowance, amount)
    }

    deinit { allowance.give(amount) }
  }

  /// Room is reserved in units of `share` bytes; the first `free` bytes need no reservation.
  private static let (share, free) = (16 << 10, 1 << 10)

  /// Why something was given up, as findings say it.
  public static let shortage =
    "unfinished heads, frames and records of all connections fill the memory allowed for them"

  private let allowance: Allowance
  private var taken: ContiguousArray<Taken> = []
  private var size = 0

  public init(_ allowance: Allowance) { self.allowance = allowance }

  /// Reserves room for `count` bytes in all; false when there is not enough.
  public mutating func reserve(_ count: Int) -> Bool {
    if count - Self.free <= size { return true }
    // In steps that grow, so that there are few of them.
    let least = count - Self.free - size
    let step = (max(least, size / 2) + Self.share - 1) / Self.share * Self.share
    if allowance.take(step) { return add(step) }
    let small = (least + Self.share - 1) / Self.share * Self.share
    return small < step && allowance.take(small) ? add(small) : false
  }

  private mutating func add(_ step: Int) -> Bool {
    taken.append(Taken(allowance, step))
    size += step
    return true
  }

  /// At least half of the shared allowance is left.
  public var isAmple: Bool { allowance.isAmple }

  /// How many bytes this connection could hold in all.
  public var most: Int { Self.free + size + allowance.rest / Self.share * Self.share }

  /// Whether an empty buffer of `count` bytes may keep its memory. It may, and counts as reserved,
  /// while at least half of the shared allowance is left.
  public mutating func tryToKeep(_ count: Int) -> Bool {
    if count > Self.free && allowance.isAmple {
      if count <= size + Self.free && size <= max(2 * count, Self.share) { return true }
      giveBack()
      if reserve(count) { return true }
    }
    giveBack()
    return count <= Self.free
  }

  /// The message was told or given up.
  public mutating func giveBack() {
    if size == 0 { return }
    taken.removeAll()
    size = 0
  }
}
