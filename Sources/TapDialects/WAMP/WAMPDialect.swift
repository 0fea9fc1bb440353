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

  public func recogniser(limits: Limits, _: SharedScan) -> any Recogniser {
    WAMPRecogniser(limits: limits)
  }

  public var printedMessages: PrintedMessages { WAMPPrinted.messages }

  public func layer(_ opening: Opening, _ run: RunContext) -> any Layer {
    Boxed(WAMPLayer(opening, WAMPShared.of(run)))
  }

  /// For a negotiated serializer that is not read: the messages cannot show another one.
  public func layer(unreadable opening: Opening) -> (any Layer)? {
    // A reserved RawSocket serializer number has no subprotocol name.
    let isWAMP = opening.carrier == .rawSocket || opening.subprotocol.starts(with: "wamp".utf8)
    return isWAMP ? WAMPUnreadableLayer(opening) : nil
  }
}
