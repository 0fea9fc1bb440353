// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Engine.IO, revisions 2 to 4: what carries Socket.IO.
public struct EngineIODialect: Dialect {
  public init() {}

  public var name: StaticString { "engineio" }
  public var topics: [Topic] { EngineIOGuide.topics }
  public var findings: [Explanation] { EngineIOFindings.all }

  public func isNegotiated(_ opening: Opening) -> Bool {
    opening.carrier == .webSocket && opening.subprotocol.isEmpty
      && EngineIOQuery(url: opening.url) != nil
  }

  public func recogniser(limits: Limits) -> any Recogniser { EngineIORecogniser(limits: limits) }

  public func layer(_ opening: Opening, _ run: RunContext) -> any Layer {
    Boxed(EngineIOLayer(opening, run))
  }

  public func mayHoldCredentials(_ bytes: RawSpan, _ delivery: Delivery) -> Bool {
    bytes.starts(with: "0{\"sid\"") || bytes.starts(with: "40{") || bytes.starts(with: "40/")
  }

  public func outline(
    _ message: Message, _ bytes: RawSpan, into branches: inout ContiguousArray<Branch>
  ) {
    EngineIOOutline.append(message, bytes, to: &branches)
  }
}
