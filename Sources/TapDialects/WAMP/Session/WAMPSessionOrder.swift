// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Tracks the stage of a session, and reports messages that do not fit it: HELLO, WELCOME, traffic,
/// GOODBYE (wamp-proto, "Sessions").
struct WAMPSessionOrder {
  enum Stage { case none, greeted, challenged, proved, open, ended }

  /// Findings that are reported once per session.
  private struct Reported: OptionSet {
    let rawValue: UInt8
    static let beforeWelcome = Reported(rawValue: 1)
    static let clientAfterEnd = Reported(rawValue: 2)
    static let routerAfterEnd = Reported(rawValue: 4)
  }

  private(set) var stage = Stage.none
  /// Whether each side has said GOODBYE.
  private(set) var clientLeft = false
  private(set) var routerLeft = false
  private var reported: Reported = []
  /// The ABORT that ended the session.
  @Apart private var abort: Origin?

  /// How long messages of both sides may cross on the wire, in nanoseconds.
  private static let crossing: Int64 = 1_000_000_000

  /// WELCOME has come, and neither side has sent GOODBYE.
  @inline(__always) var isOpen: Bool { stage == .open && !clientLeft && !routerLeft }

  /// HELLO has come, and neither side has sent GOODBYE.
  var isUnderWay: Bool { stage != .none && stage != .ended && !clientLeft && !routerLeft }

  /// No HELLO waits for its answer.
  var awaitsHello: Bool { stage == .none || stage == .ended || stage == .open }

  // MARK: - The messages that open and close it

  mutating func greet() { stage = .greeted }

  mutating func challenge() { stage = .challenged }

  mutating func prove() { if stage != .open { stage = .proved } }

  mutating func open() { stage = .open }

  /// GOODBYE.
  ///
  /// - Returns: whether both sides have sent it.
  mutating func leave(_ direction: Direction) -> Bool {
    if direction == .toServer { clientLeft = true } else { routerLeft = true }
    return clientLeft && routerLeft
  }

  /// - Parameter abort: the ABORT that ends it, if any.
  mutating func end(by abort: Origin? = nil) {
    stage = .ended
    if let abort { self.abort = abort }
  }

  /// Whether a message may have crossed the ABORT that ended the session on the wire: its sender
  /// did not know of it.
  func crosses(_ message: Origin) -> Bool {
    guard stage == .ended, let abort, abort.direction != message.direction else { return false }
    let isLate =
      abort.time.isKnown && message.time.isKnown
      && message.time.nanoseconds &- abort.time.nanoseconds > Self.crossing
    return !isLate
  }

  // MARK: - All other messages

  /// Checks a message of a session that is not open, or in which a side has sent GOODBYE.
  ///
  /// - Returns: whether the other rules should check the message.
  @inline(never)
  mutating func check(
    _ message: inout Message, _ context: inout WAMPSessionContext,
    _ pendingFindings: inout WAMPPendingFindings, _ listener: any Listener
  ) -> Bool {
    let isUp = message.origin.direction == .toServer
    let afterEnd: Reported = isUp ? .clientAfterEnd : .routerAfterEnd
    if isUp ? clientLeft : routerLeft {
      if !reported.contains(afterEnd) && context.knowsAll {
        reported.insert(afterEnd)
        let sender = isUp ? "the client" : "the router"
        context.report(
          .messageAfterGoodbye, .error, message, "\(sender) has said GOODBYE before", listener)
      }
      return stage != .ended
    }
    switch stage {
    case .open: return true
    case .none:
      stage = .open
      if !context.knowsAll { return true }
      context.knowsAll = false
      if isUp {
        context.report(
          .messageBeforeHello, .error, message, "\(message.name) without a HELLO before", listener)
      } else {
        context.report(
          .messageBeforeWelcome, .error, message, "\(message.name) without a WELCOME before",
          listener)
      }
    case .greeted, .challenged, .proved:
      if reported.contains(.beforeWelcome) || !context.knowsAll { return true }
      reported.insert(.beforeWelcome)
      let text = "\(message.name), but the session is not open: WELCOME has not come yet"
      if isUp {
        pendingFindings.suspect(
          .messageBeforeWelcome, .error, message, text, unless: .code(WAMPCode.welcome), context,
          listener)
      } else {
        context.report(.messageBeforeWelcome, .error, message, text, listener)
      }
    case .ended:
      if abort != nil, context.knowsAll, !reported.contains(afterEnd), !crosses(message.origin) {
        reported.insert(afterEnd)
        context.report(
          .messageAfterAbort, .error, message, "\(message.name), but ABORT has ended the session",
          listener)
      }
      return false
    }
    return true
  }
}
