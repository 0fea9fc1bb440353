// SPDX-License-Identifier: Apache-2.0
import TapInspector

/// What an earlier reading of the capture has found out, for all readings that follow.
final class Foresight {
  var names: [ForeseenName] = []
}
