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
}
