// SPDX-License-Identifier: Apache-2.0

/// What one connection has taken of what all of them may hold, for a message that is put together
/// or bytes that wait. It comes back on its own when nothing holds it any more.
public struct Reservation: Sendable {
  /// Gives back what was taken, whatever happened to the connection.
  private final class Taken: Sendable {
    let allowance: Allowance
    let amount: Int

    init(_ allowance: Allowance, _ amount: Int) {
      (self.allowance, self.amount) = (allowance, amount)
    }

    deinit { allowance.give(amount) }
  }

  /// So much is taken at once; as much as a small message has need not be.
  private static let (share, free) = (16 << 10, 1 << 10)

  /// Why something was given up, as findings say it.
  public static let shortage =
    "unfinished heads, frames and records of all connections fill the memory allowed for them"

  private let allowance: Allowance
  private var taken: ContiguousArray<Taken> = []
  private var size = 0

  public init(_ allowance: Allowance) { self.allowance = allowance }

  /// Takes what so many bytes need; answers whether it was there.
  public mutating func reserve(_ count: Int) -> Bool {
    if count - Self.free <= size { return true }
    // In steps that grow: what holds them is little beside them.
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

  /// Not more than half of what there is for all was taken.
  public var isAmple: Bool { allowance.isAmple }

  /// How many bytes may be held in all.
  public var most: Int { Self.free + size + allowance.rest / Self.share * Self.share }

  /// Whether memory of so many bytes may be kept though nothing is in it: it is, and counts, while
  /// no more than half of all there is has been taken.
  public mutating func keeps(_ count: Int) -> Bool {
    if count > Self.free && allowance.isAmple {
      if count <= size + Self.free && size <= 2 * count { return true }
      giveBack()
      if reserve(count) { return true }
    }
    giveBack()
    return count <= Self.free
  }

  /// The message was told, or will not be.
  public mutating func giveBack() {
    if size == 0 { return }
    taken.removeAll()
    size = 0
  }
}
