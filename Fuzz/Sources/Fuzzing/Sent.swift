// SPDX-License-Identifier: Apache-2.0

/// What both sides of a script have said, by their places in the streams: zeros stand where
/// something is missing.
final class Sent {
  private(set) var octets: [[UInt8]] = [[], []]
  /// Octets that were lent.
  private(set) var fed = 0
  private(set) var hasGaps = false

  func append(_ bytes: [UInt8], _ side: Int) {
    octets[side] += bytes
    fed += bytes.count
  }

  func append(gap count: Int?, _ side: Int) {
    hasGaps = true
    octets[side] += repeatElement(0, count: count ?? 0)
  }
}
