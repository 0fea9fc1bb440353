// SPDX-License-Identifier: Apache-2.0
public import TapEvidence

/// The kinds of exports.
public enum ExportInputs {
  /// In the order in which they are tried.
  public static let all: [any InputKind.Type] =
    [
      JSONExportInput<HARReader>.self, MitmproxyFlowInput.self,
      JSONExportInput<NetLogReader>.self, NDJSONInput.self, BrowserEventsInput.self,
    ] + collected

  /// Those that have lines of a log in them.
  public static let collected: [any InputKind.Type] = [
    CollectedInput<DockerRecords>.self, CollectedInput<JournalRecords>.self,
    CollectedInput<LineRecords>.self, RecordsInput.self,
  ]
}
