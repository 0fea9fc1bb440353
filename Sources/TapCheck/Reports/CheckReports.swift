// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// The report formats, by the name that `-o` and `--report` take.
public enum CheckReports {
  public struct Form: Sendable {
    public var name: String
    /// The file name suffix that selects the format; empty for any.
    public var suffix = ""
    public var append: @Sendable (CheckReport, Surroundings, inout TextBuffer) -> Void
  }

  /// Context for reports.
  public struct Surroundings: Sendable {
    /// Use terminal colours; only for text.
    public var isColored = false
    /// The program's version.
    public var version = ""
    /// The explanations of all findings, by code.
    public var explanations: [String: Explanation] = [:]

    public init() {}
  }

  public static let all = [
    Form(name: "text", append: TextReport.append),
    Form(name: "ndjson", append: NDJSONReport.append),
    Form(name: "junit", suffix: ".xml", append: JUnitReport.append),
    Form(name: "sarif", append: SARIFReport.append),
    Form(name: "gitlab", append: GitLabReport.append),
    Form(name: "github", append: GitHubReport.append),
    Form(name: "gcc", append: GCCReport.append),
    Form(name: "markdown", append: MarkdownReport.append),
  ]
}
