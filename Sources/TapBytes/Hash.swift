// SPDX-License-Identifier: Apache-2.0

extension RawSpan {
  /// A hash of the bytes. It is seeded per run, so that collisions cannot be crafted.
  @inlinable public var fingerprint: UInt64 { Hash.of(self, seed: Hash.seed) }

  /// The hash of these bytes appended to others, whose fingerprint is given.
  @inlinable public func fingerprint(behind others: UInt64) -> UInt64 {
    Hash.of(self, seed: others)
  }
}

/// Hashing for internal tables: fast, seeded per run so that collisions cannot be crafted, and
/// never visible in output.
@usableFromInline enum Hash {
  /// One seed per process.
  @usableFromInline static let seed = UInt64.random(in: .min ... .max)

  /// Combines two words by a full multiplication (the core of wyhash).
  @inlinable static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = (a ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: b ^ 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
  }

  @inlinable static func of(_ bytes: RawSpan, seed: UInt64) -> UInt64 {
    var state = seed
    var at = 0
    let count = bytes.byteCount
    while at &+ 8 <= count {
      state = mix(state ^ bytes.word(unchecked: at), 0x8EBC_6AF0_9C88_C6E3)
      at &+= 8
    }
    var rest: UInt64 = 0
    if count >= 8 {
      // The last eight bytes; they may overlap those before.
      rest = bytes.word(unchecked: count &- 8)
    } else {
      while at < count {
        rest = rest << 8 | UInt64(bytes.byte(at: at))
        at &+= 1
      }
    }
    return mix(state ^ rest, UInt64(truncatingIfNeeded: count) | 1 << 63)
  }
}
