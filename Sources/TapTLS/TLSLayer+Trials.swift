// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// What may be tried behind holes.
extension TLSLayer {
  /// What was opened gives leave to try more, so that a long connection with many holes has no less
  /// of it than a short one.
  var ownTrials: Int {
    min(Int(clamping: toServer.offset.addingSaturated(toClient.offset)), 1 << 40) * 8
  }

  /// Bytes that may still be tried on this connection.
  var mostTrials: Int {
    let shared = limits.recordTrials.rest / Self.shareOfTrials
    let own = ownTrials - trials
    return max(0, min(limits.recordTrialBytes + own, max(0, own + repaidTrials) + shared))
  }

  private static let shareOfTrials = 8
  /// Less is not worth the keys of all sessions that it may be.
  static let leastTrials = 16 << 10

  /// Trials beyond the leave of the connection are taken of those of all connections.
  ///
  /// - Parameter repaid: what has opened a record was not tried in vain, and is given back.
  mutating func account(trials more: Int, repaid: Int = 0) {
    trials += more
    repaidTrials += repaid
    let borrowed = max(0, trials - ownTrials - repaidTrials)
    limits.recordTrials.spend(borrowed - borrowedTrials)
    borrowedTrials = borrowed
  }
}
