// SPDX-License-Identifier: Apache-2.0

/// One protocol, both directions, no I/O. It is lent bytes and passes what it finds to the layer it
/// carries; what it has to tell, it tells the listener that comes along with the call.
public protocol Layer {
  /// The next bytes of one direction, in order; lent for the call.
  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener)

  /// Bytes of one direction that were never captured: as many as `missing`, or unknown.
  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener)

  /// No more will come: say what is missing, account for what was held, close what was opened.
  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener)

  /// Whether this layer has become one that only passes calls on, so that its owner may hold the
  /// layer behind it instead and save a call for every delivery.
  /// Mutating, so that a layer that is lent is not copied to be asked.
  var settlement: Settlement { mutating get }

  /// Bytes that it was lent are in doubt: a layer that makes nothing of them passes the finding
  /// over, others have it told.
  func doubt(_ finding: Finding, _ listener: any Listener)

  /// What it means by a code that WebSocket leaves to it, 3000 to 4999; nil where it says nothing
  /// of it, or may be the wrong layer.
  func meaning(ofClose code: UInt16) -> CloseMeaning?
}

extension Layer {
  public var settlement: Settlement { mutating get { .final } }
  public func doubt(_ finding: Finding, _ listener: any Listener) { listener.finding(finding) }
  public func meaning(ofClose _: UInt16) -> CloseMeaning? { nil }
}

/// What a layer says of its own future.
public enum Settlement {
  /// Ask again.
  case notYet
  /// From now on this layer stands in its place.
  case by(any Layer)
  /// It stays what it is.
  case final
}

extension Settlement {
  /// Puts what a layer has settled on in its place.
  ///
  /// - Returns: whether that stays.
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

/// The layer that is not there: what a layer owns before one was chosen for it.
public struct NullLayer: Layer {
  public init() {}
  public mutating func receive(_: RawSpan, _: Delivery, _: any Listener) {}
  public mutating func gap(_: Int?, _: Delivery, _: any Listener) {}
  public mutating func finish(_: Ending, _: Delivery, _: any Listener) {}
}

/// Chooses what a layer carries, when that is known only at run time. Layers never name each other.
public protocol Chooser: AnyObject {
  func layer(for opening: Opening) -> any Layer

  /// Whether these bytes, which begin a segment, begin a connection: its client sends them first,
  /// and nothing else looks so.
  func isBeginning(_ bytes: RawSpan) -> Bool

  /// Who reads the bodies of an exchange of HTTP; nil for nearly all, which are passed over.
  func reader(of request: HTTPRequest, _ listener: any Listener) -> (any HTTPExchangeReader)?

  /// A client asked for a WebSocket, and was refused.
  func noteRefusal(of attempt: Opening, _ delivery: Delivery)

  /// The session that a WebSocket carries on; nil when it begins one of its own.
  func session(carriedOnBy opening: Opening) -> SpanningSession?

  /// What its URL says of a WebSocket that has opened.
  func remarks(on opening: Opening, _ delivery: Delivery) -> [Finding]
}

extension Chooser {
  public func reader(of _: HTTPRequest, _: any Listener) -> (any HTTPExchangeReader)? { nil }
  public func noteRefusal(of _: Opening, _: Delivery) {}
  public func session(carriedOnBy _: Opening) -> SpanningSession? { nil }
  public func remarks(on _: Opening, _: Delivery) -> [Finding] { [] }
  public func isBeginning(_: RawSpan) -> Bool { false }
}
