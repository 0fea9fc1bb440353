// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// JSON-RPC 2.0, and 1.0.
public struct JSONRPCDialect: Dialect {
  public init() {}

  public var name: StaticString { "jsonrpc" }
  public var takesMessageRules: Bool { true }
  public var topics: [Topic] { JSONRPCGuide.topics }
  public var findings: [Explanation] { JSONRPCFindings.all }

  public func recogniser(limits: Limits, _ scan: SharedScan) -> any Recogniser {
    JSONRPCRecogniser(scan)
  }

  public func narratedLogs(limits: Limits) -> [any NarratedLog] {
    [ClientTrace(limits: limits), OpenVSwitchLog(limits: limits)]
  }

  public func layer(_ opening: Opening, _ run: RunContext) -> any Layer {
    JSONApplications.layer(takenFor: name, opening, run)
      ?? Boxed(JSONRPCLayer(opening, limits: run.limits))
  }

  /// The members of the object, and their meaning in the specification.
  public func outline(
    _ message: Message, _ bytes: RawSpan, into rows: inout ContiguousArray<OutlineRow>
  ) {
    JSONOutline.append(
      message, bytes,
      [
        ("jsonrpc", "version of the protocol"), ("id", "finds the answer of a request"),
        ("method", "what the other side is to run"), ("params", "with what"),
        ("result", "what came of it"), ("error", "why it failed"),
      ], to: &rows)
  }
}
