// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Whether the sides of a connection use the ids of requests again: by the ids of the last requests
/// that were answered.
public struct IDReuse: Sendable, BitwiseCopyable {
  /// A ring of hashes; 0 is a free place.
  private var hashes = SIMD8<UInt32>()
  private var next: UInt8 = 0
  /// An id was used again.
  public private(set) var isSeen = false

  public init() {}

  /// A request has this id.
  public mutating func ask(_ key: WideKey) {
    if !isSeen { isSeen = any(hashes .== Self.hash(key)) }
  }

  /// A request has this id whose last request has lost its answer.
  public mutating func askAgain() { isSeen = true }

  /// The request with this id was answered.
  public mutating func answer(_ key: WideKey) {
    if isSeen { return }
    hashes[Int(next)] = Self.hash(key)
    next = (next &+ 1) & 7
  }

  private static func hash(_ key: WideKey) -> UInt32 {
    UInt32(truncatingIfNeeded: key.low ^ key.low >> 32 ^ key.high << 24) | 1 << 31
  }
}
