// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

extension LineRenderer {
  /// What lines show, and how.
  public struct Options: Sendable {
    /// No connection headers and no summary.
    public var isQuiet = false
    /// PING and PONG too, and where the rule stands that is broken.
    public var showsAll = false
    /// Findings that are notes too, and those that only repeat what a message says.
    public var showsNotes = false
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
    /// The same while it is read: the terminal may be resized. Nil where it stays.
    public var currentWidth: (@Sendable () -> Int)?
    /// Lines that are longer than that go on on the next one, instead of being cut.
    public var wraps = false
    /// Bytes of a payload that a line has at most.
    public var mostPayloadBytes = Int.max
    public var isColored = false
    /// Before each line, the number of the line of a log, or of the packet.
    public var showsLineNumbers = false
    /// The names of all inputs as typed.
    public var names: [String] = []
    /// The names of the inputs, when there are several: findings about a file say which.
    public var inputs: [String] = []
    /// The place in a specification of the rule that findings of a code are about.
    public var source: @Sendable (Finding.Code) -> String = { _ in "" }

    public init() {}

    /// Lines are cut, and what is long in them made short.
    var cutsLines: Bool { width != nil && !wraps && !showsTree }

    /// The place in a specification of the rule that a finding is about; empty when there is none.
    func source(of finding: Finding) -> String {
      finding.source.isEmpty ? source(finding.code) : finding.source
    }
  }
}
