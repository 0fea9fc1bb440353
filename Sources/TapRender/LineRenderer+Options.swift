// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

extension LineRenderer {
  /// What lines show, and how.
  public struct Options: Sendable {
    /// No connection headers and no summary.
    public var isQuiet = false
    /// PING, PONG and notes too.
    public var showsAll = false
    /// Below each line, the message as a tree.
    public var showsTree = false
    /// Frames, and the heads of HTTP that opened a connection.
    public var showsFrames = false
    /// Below each line, its bytes in hexadecimal.
    public var showsOctets = false
    /// In NDJSON, the elements of each message by their names.
    public var showsFields = false
    public var time = TimeColumn.Mode.relative
    /// Seconds that the local clock was ahead of UTC at a second since 1970.
    public var zone: @Sendable (Int64) -> Int64 = { _ in 0 }
    /// Columns of the terminal; nil outside one, where nothing is cut.
    public var width: Int?
    public var isColored = false
    /// The names of the inputs, when there are several: findings about a file say which.
    public var inputs: [String] = []
    /// Where the rule stands that findings of a code tell of.
    public var source: @Sendable (Finding.Code) -> String = { _ in "" }

    public init() {}

    /// Where the rule stands that a finding tells of; empty when it is none of a specification.
    func source(of finding: Finding) -> String {
      finding.source.isEmpty ? source(finding.code) : finding.source
    }
  }
}
