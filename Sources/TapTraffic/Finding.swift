// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Something that is wrong with the traffic, missing from the evidence, or worth knowing. Never an
/// error of ours: decoding goes on.
public struct Finding: Sendable {
  public enum Severity: UInt8, Sendable, Comparable, CaseIterable {
    case note, warning, error

    public var name: StaticString {
      switch self {
      case .note: "note"
      case .warning: "warning"
      case .error: "error"
      }
    }

    public static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The stable name of a kind of finding: kebab case under its layer, `tcp.gap`. Declared beside
  /// the code that reports it.
  public struct Code: Sendable, Hashable, ExpressibleByStringLiteral {
    public let text: StaticString

    public init(stringLiteral text: StaticString) { self.text = text }

    public var name: String { text.description }

    public static func == (left: Code, right: Code) -> Bool { left.text.equals(right.text) }

    public func hash(into hasher: inout Hasher) { hasher.combine(text.fingerprint) }
  }

  public var code: Code
  public var severity: Severity
  /// One sentence. May quote the wire: renderers escape it.
  public var text: String
  /// The section of the rule that is broken; empty where the code's explanation names it precisely.
  public var source = ""
  public var origin: Origin
  /// Whether it is about the message that was reported last on this flow.
  public var isAboutLastMessage = false
  /// The line of the message says all that this finding says.
  public var isSaidByMessage = false
  /// The request or the granted id that it is about. Its subject, if known, follows `text`, and the
  /// message that began the exchange is named.
  public var about = Link.none
  /// The session of the connection to which `about` belongs.
  public var session: UInt16 = 0
  /// The subject of the message or the exchange that it is about; empty where that is not known.
  public var subject: [UInt8] = []
  /// What follows the subject of `about`.
  public var remainder = ""
  /// The encrypted connection that it reports; shown in place of a line of its own.
  public var sealed: Sealed?
  /// The evidence is damaged here, and nothing after this place can be read.
  public var endsEvidence = false
  /// Evidence is missing: it is cut off, or a part of it was skipped.
  public var cutsEvidence = false
  /// A warning that concerns security.
  public var isSecurity = false
  /// Bytes of the stream that were never captured.
  public var lostBytes: UInt64 = 0
  /// Bytes that an earlier finding reported as lost, but that came later.
  public var foundBytes: UInt64 = 0
  /// Estimated number of messages that were lost.
  public var lostMessages: UInt64 = 0
  /// `lostMessages` is a lower bound: many more may have been lost.
  public var mayHaveLostMore = false
  /// What is shown as one connection may be several: an id that is opened twice proves nothing.
  public var mixesSessions = false
  /// Connections that had to be forgotten.
  public var evicted: UInt64 = 0

  public init(
    _ code: Code, _ severity: Severity, _ origin: Origin, _ text: String,
    isAboutLastMessage: Bool = false
  ) {
    self.code = code
    self.severity = severity
    self.origin = origin
    self.text = text
    self.isAboutLastMessage = isAboutLastMessage
  }

  /// The same, marked as a cut in the evidence.
  public var cutting: Finding {
    var finding = self
    finding.cutsEvidence = true
    return finding
  }
}
