// SPDX-License-Identifier: Apache-2.0
import TapInputs
import TapInspector
import TapTraffic

/// Where the rules stand that findings tell of. The table is made when the first one is told.
enum FindingSources {
  private static let all = Dictionary(
    Guide(inputs: InputFindings.all).findings.map { ($0.code, $0.source) },
    uniquingKeysWith: { first, _ in first })

  /// Empty where the rule is none of a specification.
  static func source(of code: Finding.Code) -> String { all[code] ?? "" }
}
