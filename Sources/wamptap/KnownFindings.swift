// SPDX-License-Identifier: Apache-2.0
import TapEvidence
import TapInputs
import TapInspector
import TapLogs
import TapTraffic

/// What is known of findings by their codes. The tables are made when they are first needed.
enum KnownFindings {
  private static let guide = Guide(inputs: InputFindings.all)
  private static let all = Dictionary(
    guide.findings.map { ($0.code.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The section of a specification with the rule that a finding is about; empty if there is none.
  static func source(of code: Finding.Code) -> String { all[code.name]?.source ?? "" }

  /// What is known of a finding in the output of an earlier run. An unknown code is one of a later
  /// release.
  static func earlier(_ code: String) -> EarlierFinding {
    EarlierFinding(
      isRepeatable: guide.messageFindings.contains(code) || all[code] == nil
        || code == Finding.Code.logAbridged.name,
      isLoss: all[code]?.isLoss ?? false,
      mixing: code == Finding.Code.logMixed.name ? .logMixed : nil)
  }
}
