// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The bounds that HTTP/1 needs: a copy of all `Limits` would be larger than the rest of a
/// connection.
struct HTTPLimits {
  let headBytes: Int
  let requests: Int
  let undecidedBytes: Int
  let unfinishedBytes: Allowance

  init(_ limits: borrowing Limits) {
    (headBytes, requests) = (limits.headBytes, limits.requests)
    (undecidedBytes, unfinishedBytes) = (limits.undecidedBytes, limits.unfinishedBytes)
  }
}
