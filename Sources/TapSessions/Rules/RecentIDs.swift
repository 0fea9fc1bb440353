// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// The ids of the requests that were answered last, to see whether a side uses ids again.
public struct RecentIDs: Sendable, BitwiseCopyable {
  /// A ring of hashes; 0 is a free place.
  private var hashes = SIMD8<UInt32>()
  private var next: UInt8 = 0

  public init() {}

  /// A request was answered.
  public mutating func add(_ key: WideKey) {
    hashes[Int(next)] = Self.hash(key)
    next = (next &+ 1) & 7
  }

  public func contains(_ key: WideKey) -> Bool { any(hashes .== Self.hash(key)) }

  private static func hash(_ key: WideKey) -> UInt32 {
    UInt32(truncatingIfNeeded: key.low ^ key.low >> 32 ^ key.high << 24) | 1 << 31
  }
}
