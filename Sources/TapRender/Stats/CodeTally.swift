// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Findings of one code and one severity.
struct CodeTally {
  var code: Finding.Code
  var severity: Finding.Severity
  var findings: UInt64 = 0
}
