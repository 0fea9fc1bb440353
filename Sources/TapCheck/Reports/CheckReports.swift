// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// The forms in which a check is written down, by the name that `-o` and `--report` take.
public enum CheckReports {
  public struct Form: Sendable {
    public var name: String
    /// The end that the name of such a file has; empty for any.
    public var suffix = ""
    public var append: @Sendable (CheckReport, Surroundings, inout TextBuffer) -> Void
  }

  /// What reports say beside the results.
  public struct Surroundings: Sendable {
    /// Colours for terminals; of text alone.
    public var isColored = false
    /// Of the program.
    public var version = ""
    /// Of all findings, by code.
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
