// SPDX-License-Identifier: Apache-2.0
import TapInspector
import TapTraffic

/// What an earlier reading of the capture has found out, for all readings that follow.
final class Foresight {
  var names: [ForeseenName] = []
  /// Why a pipe was not kept to its end; nil where it was.
  var stop: Summary.Stop?
}
