// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// Socket.IO, parsers 2 to 5: namespaces, events and acks. The Engine.IO layer reads it; this
/// dialect reads it only in pasted text.
public struct SocketIODialect: Dialect {
  public init() {}

  public var name: StaticString { "socketio" }
  public var topics: [Topic] { SocketIOGuide.topics }
  public var findings: [Explanation] { SocketIOFindings.all }

  public func recogniser(limits: Limits, _: SharedScan) -> any Recogniser {
    SocketIORecogniser(limits: limits)
  }

  public func layer(_ opening: Opening, _ run: RunContext) -> any Layer {
    EngineIOSession.isPasted(opening)
      ? Boxed(SocketIOPastedLayer(opening, run)) : Boxed(EngineIOLayer(opening, run))
  }

  public func outline(
    _ message: Message, _ bytes: RawSpan, into rows: inout ContiguousArray<OutlineRow>
  ) {
    SocketIOOutline.append(message, bytes, to: &rows)
  }
}
