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

  /// The first bytes need no reservation.
  private static let free = 1 << 10

  /// Why something was given up, as findings say it.
  public static let shortage =
    "unfinished heads, frames and records of all connections fill the memory allowed for them"

  private let allowance: Allowance
  /// Room is reserved in units of so many bytes.
  private let share: Int
  private var taken: ContiguousArray<Taken> = []
  private var size = 0

  /// - Parameter share: room is reserved in units of so many bytes; small ones where very many
  ///   owners each need little.
  public init(_ allowance: Allowance, share: Int = 16 << 10) {
    (self.allowance, self.share) = (allowance, share)
  }

  /// Reserves room for `count` bytes in all; false when there is not enough.
  public mutating func reserve(_ count: Int) -> Bool {
    if count - Self.free <= size { return true }
    // In steps that grow, so that there are few of them.
    let least = count - Self.free - size
    let step = (max(least, size / 2) + share - 1) / share * share
    if allowance.take(step) { return add(step) }
    let small = (least + share - 1) / share * share
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
  public var most: Int { Self.free + size + allowance.rest / share * share }

  /// Whether an empty buffer of `count` bytes may keep its memory. It may, and counts as reserved,
  /// while at least half of the shared allowance is left.
  public mutating func tryToKeep(_ count: Int) -> Bool {
    if count > Self.free && allowance.isAmple {
      if count <= size + Self.free && size <= max(2 * count, share) { return true }
      giveBack()
      if reserve(count) { return true }
    }
    giveBack()
    return count <= Self.free
  }

  /// The message was reported or given up.
  public mutating func giveBack() {
    if size == 0 { return }
    taken.removeAll()
    size = 0
  }
}
