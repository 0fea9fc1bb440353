// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Checks that a sender uses a fresh masking key for each frame (RFC 6455 §5.3, §10.3). Several
/// frames in a row do not have the same key by chance.
struct MaskingKeys: BitwiseCopyable {
  /// How many frames in a row.
  private static let least = 4

  private var last: UInt32 = 0
  /// How many frames before the last one had the same key; -1 before the first frame.
  private var same = -1
  private var isReported = false

  /// Notes the key of a frame; true if reuse is to be reported, once.
  @inline(__always)
  mutating func note(_ key: UInt32) -> Bool {
    if key != last {
      (last, same) = (key, 0)
      return false
    }
    return repeats()
  }

  @inline(never)
  private mutating func repeats() -> Bool {
    same &+= 1
    if isReported || same < Self.least - 1 { return false }
    isReported = true
    return true
  }

  func finding(_ origin: Origin) -> Finding {
    let key = String(UInt64(last.byteSwapped) | 1 << 32, radix: 16).dropFirst()
    return Finding(
      .maskingKeyReused, .warning, origin,
      "\(Self.least) frames in a row are masked with the same key, \(key): each needs a fresh one"
        + " that cannot be predicted")
  }
}
