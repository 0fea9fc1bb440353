// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// WAMP v2, in every serializer.
public struct WAMPDialect: Dialect {
  public init() {}

  public var name: StaticString { "wamp" }
  public var topics: [Topic] { WAMPGuide.topics }
  public var findings: [Explanation] { WAMPFindings.all }

  public func isNegotiated(_ opening: Opening) -> Bool {
    WAMPCarriage(subprotocol: opening.subprotocol) != nil
  }

  public func recogniser(limits: Limits) -> any Recogniser { WAMPRecogniser(limits: limits) }

  public var printedMessages: PrintedMessages { WAMPPrinted.messages }

  public func layer(_ opening: Opening, _ run: RunContext) -> any Layer {
    Boxed(WAMPLayer(opening, WAMPShared.of(run)))
  }

  /// Another serializer was negotiated, which no message can overrule.
  public func layer(unreadable opening: Opening) -> (any Layer)? {
    // A reserved serializer of RawSocket stands for no subprotocol.
    let isWAMP = opening.carrier == .rawSocket || opening.subprotocol.starts(with: "wamp".utf8)
    return isWAMP ? WAMPUnreadableLayer(opening) : nil
  }
}
