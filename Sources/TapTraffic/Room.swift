// SPDX-License-Identifier: Apache-2.0

/// What one message that is put together has taken of what all of them may hold.
public struct Room: Sendable {
  /// So much is taken at once; as much as a small message has need not be.
  private static let (share, free) = (1 << 20, 64 << 10)

  private let allowance: Allowance
  private var taken = 0

  public init(_ allowance: Allowance) { self.allowance = allowance }

  /// Takes what so many octets need; answers whether it was there.
  public mutating func reserve(_ count: Int) -> Bool {
    while count - Self.free > taken {
      if !allowance.take(Self.share) { return false }
      taken += Self.share
    }
    return true
  }

  /// The message was told, or will not be.
  public mutating func giveBack() {
    if taken > 0 { allowance.give(taken) }
    taken = 0
  }
}
