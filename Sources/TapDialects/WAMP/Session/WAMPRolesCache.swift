// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The dictionaries of roles that were read lately: those of a client, and of a router, are the
/// same for each session.
struct WAMPRolesCache {
  private struct Known {
    var fingerprint: UInt64
    var text: [UInt8]
    var roles: WAMPRoles
  }

  private var known: [Known] = []
  /// Where the next one goes, once there are as many as are kept.
  private var oldest = 0
  /// How many are kept, and how long one may be, in bytes.
  private static let most = 16
  private static let mostBytes = 4096

  /// What a dictionary says, also one that was not read before.
  mutating func roles(_ dictionary: ByteRange, _ bytes: RawSpan) -> WAMPRoles {
    let text = bytes[dictionary]
    if text.byteCount > Self.mostBytes { return WAMPRoles(dictionary, bytes) }
    let fingerprint = text.fingerprint
    // That it is the same is compared, and not taken for granted.
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
