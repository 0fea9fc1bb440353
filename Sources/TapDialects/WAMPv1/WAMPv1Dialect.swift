// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// WAMP v1, of 2012 and 2013.
public struct WAMPv1Dialect: Dialect {
  public init() {}

  public var name: StaticString { "wampv1" }
  public var topics: [Topic] { WAMPv1Guide.topics }
  public var findings: [Explanation] { WAMPv1Findings.all }

  public func isNegotiated(_ opening: Opening) -> Bool {
    opening.carrier == .webSocket && opening.subprotocol == Array("wamp".utf8)
  }

  public func recogniser(limits: Limits, _: SharedScan) -> any Recogniser {
    WAMPv1Recogniser(limits: limits)
  }

  public func layer(_ opening: Opening, _ run: RunContext) -> any Layer {
    Boxed(WAMPv1Layer(opening, limits: run.limits))
  }
}
