// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Those of the `Limits` that frames need: all of them would be copied with every call.
struct FrameLimits: BitwiseCopyable {
  var messageBytes: Int
  var resyncBytes: Int
  var pings: Int

  init(_ limits: Limits) {
    (messageBytes, resyncBytes) = (limits.messageBytes, limits.resyncBytes)
    pings = limits.pings
  }
}
