// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Recently parsed dictionaries of roles: a client or router sends the same one for each session.
struct WAMPRolesCache {
  private struct Known {
    var fingerprint: UInt64
    var text: [UInt8]
    var roles: WAMPRoles
  }

  private var known: [Known] = []
  /// The index to replace next, once the cache is full.
  private var oldest = 0
  /// How many are kept, and the largest size of one, in bytes.
  private static let most = 16
  private static let mostBytes = 4096

  /// The content of a dictionary, parsed if it is not in the cache.
  mutating func roles(_ dictionary: ByteRange, _ bytes: RawSpan) -> WAMPRoles {
    let text = bytes[dictionary]
    if text.byteCount > Self.mostBytes { return WAMPRoles(dictionary, bytes) }
    let fingerprint = text.fingerprint
    // Compare the text too: fingerprints may collide.
    for old in known where old.fingerprint == fingerprint {
      let known = old.text
      if text.equals(known.span.bytes) { return old.roles }
    }
    let fresh = Known(
      fingerprint: fingerprint, text: text.copied(), roles: WAMPRoles(dictionary, bytes))
    if known.count < Self.most {
      known.append(fresh)
    } else {
      known[oldest] = fresh
      oldest = (oldest + 1) % Self.most
    }
    return fresh.roles
  }
}
