// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// The bounds that HTTP/1 needs: a copy of all `Limits` would be larger than the rest of a
/// connection.
struct HTTPLimits {
  let headBytes: Int
  let pipelinedRequests: Int
  let undecidedBytes: Int
  let unfinishedBytes: Allowance

  init(_ limits: borrowing Limits) {
    (headBytes, pipelinedRequests) = (limits.headBytes, limits.pipelinedRequests)
    (undecidedBytes, unfinishedBytes) = (limits.undecidedBytes, limits.unfinishedBytes)
  }
}
