// SPDX-License-Identifier: Apache-2.0

/// One protocol, both directions, no I/O. It is lent bytes, passes what it finds to the layer it
/// carries, and reports to the listener of the call.
public protocol Layer {
  /// The next bytes of one direction, in order; lent for the call.
  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener)

  /// More bytes came of a message that is not complete yet, and is lent only when it is: its sender
  /// is not silent. Told to a layer of messages alone, since streams are lent as they come.
  mutating func hear(_ delivery: Delivery, _ listener: any Listener)

  /// Bytes of one direction that were never captured: `missing` of them, nil for an unknown number.
  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener)

  /// No more will come: say what is missing, account for what was held, close what was opened.
  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener)

  /// Whether this layer has become one that only passes calls on. Its owner may then hold the inner
  /// layer instead, and save a call for every delivery.
  /// Mutating, so that asking does not copy the layer.
  var settlement: Settlement { mutating get }

  /// Bytes that it was lent are in doubt. A layer that discards its bytes drops the finding, others
  /// tell it.
  func doubt(_ finding: Finding, _ listener: any Listener)

  /// What this protocol means by a WebSocket close code from 3000 to 4999; nil where it defines
  /// none, or where this may be the wrong layer.
  func meaning(ofClose code: UInt16) -> CloseMeaning?
}

extension Layer {
  public mutating func hear(_: Delivery, _: any Listener) {}
  public var settlement: Settlement { mutating get { .final } }
  public func doubt(_ finding: Finding, _ listener: any Listener) { listener.finding(finding) }
  public func meaning(ofClose _: UInt16) -> CloseMeaning? { nil }
}

/// Whether a layer can be replaced by the one it has decided on.
public enum Settlement {
  /// Ask again.
  case notYet
  /// This layer replaces it from now on.
  case by(any Layer)
  /// It stays.
  case final
}

extension Settlement {
  /// Replaces a layer by the one it has settled on.
  ///
  /// - Returns: true if the layer is final.
  @inline(never) public static func settle(_ layer: inout any Layer) -> Bool {
    switch layer.settlement {
    case .notYet: return false
    case .by(let next): layer = next
    case .final: return true
    }
    return false
  }
}

/// Why no more bytes come.
@frozen public enum Ending: Sendable, BitwiseCopyable {
  /// One direction said it is done (FIN); the other may go on.
  case half
  /// Both directions are done.
  case closed
  /// The sender named by the delivery's direction reset the connection.
  case reset
  /// The evidence ends here.
  case endOfEvidence
}

/// Does nothing: a placeholder until a layer is chosen.
public struct NullLayer: Layer {
  public init() {}
  public mutating func receive(_: RawSpan, _: Delivery, _: any Listener) {}
  public mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
  public mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
}

/// Chooses what a layer carries, when that is known only at run time. Layers never name each other.
public protocol Chooser: AnyObject {
  func layer(for opening: Opening) -> any Layer

  /// Whether these bytes, which begin a segment, begin a connection: only its client sends them, as
  /// the first thing, and nothing else looks like them.
  func isBeginning(_ bytes: RawSpan) -> Bool

  /// Whether they begin one even where a connection with the same ends was open just before: hardly
  /// anything of the same client comes before them. A usual request of HTTP may follow others.
  func isSoleBeginning(_ bytes: RawSpan) -> Bool

  /// HTTP/2, to which a connection of HTTP/1.1 has changed: the request that asked for that is its
  /// stream 1 (RFC 7540 §3.2).
  ///
  /// - Parameter reader: reads the answer to that request; nil where nobody does.
  /// - Returns: nil where HTTP/2 is not read.
  func http2(
    _ opening: Opening, answering reader: (any HTTPExchangeReader)?
  ) -> (any Layer)?

  /// The reader of an HTTP exchange's bodies; nil for nearly all exchanges, whose bodies are
  /// skipped.
  func reader(of request: HTTPRequest, _ listener: any Listener) -> (any HTTPExchangeReader)?

  /// A client asked for a WebSocket and was refused.
  func noteRefusal(of attempt: Opening, _ delivery: Delivery)

  /// The session that a WebSocket continues; nil when it begins one of its own.
  func session(carriedOnBy opening: Opening) -> SpanningSession?

  /// Findings about the URL of a WebSocket that has opened.
  func remarks(on opening: Opening, _ delivery: Delivery) -> [Finding]
}

extension Chooser {
  public func http2(
    _: Opening, answering _: (any HTTPExchangeReader)?
  ) -> (any Layer)? { nil }
  public func reader(of _: HTTPRequest, _: any Listener) -> (any HTTPExchangeReader)? { nil }
  public func noteRefusal(of _: Opening, _: Delivery) {}
  public func session(carriedOnBy _: Opening) -> SpanningSession? { nil }
  public func remarks(on _: Opening, _: Delivery) -> [Finding] { [] }
  public func isBeginning(_: RawSpan) -> Bool { false }
  public func isSoleBeginning(_: RawSpan) -> Bool { false }
}
