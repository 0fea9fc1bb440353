// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// STOMP 1.0, 1.1 and 1.2, over WebSocket or a TCP stream.
public struct STOMPDialect: Dialect {
  public init() {}

  public var name: StaticString { "stomp" }
  public var topics: [Topic] { STOMPGuide.topics }
  public var findings: [Explanation] { STOMPFindings.all }

  /// The registered names, and ActiveMQ's own.
  public func isNegotiated(_ opening: Opening) -> Bool {
    ["v10.stomp", "v11.stomp", "v12.stomp", "stomp"].contains {
      opening.subprotocol.elementsEqual($0.utf8)
    }
  }

  public func recogniser(limits: Limits, _: SharedScan) -> any Recogniser {
    STOMPRecogniser(limits: limits)
  }

  public func streamRecogniser(limits: Limits) -> (any StreamRecogniser)? {
    STOMPStreamRecogniser(limits: limits)
  }

  public func narratedLogs(limits: Limits) -> [any NarratedLog] { [SpringLog(limits: limits)] }

  public func layer(_ opening: Opening, _ run: RunContext) -> any Layer {
    Boxed(STOMPLayer(opening, limits: run.limits))
  }

  public func outline(
    _ message: Message, _ bytes: RawSpan, into rows: inout ContiguousArray<OutlineRow>
  ) {
    STOMPOutline.append(bytes, into: &rows)
  }
}
