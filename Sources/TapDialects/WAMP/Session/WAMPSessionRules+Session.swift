// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The order of a session: HELLO, WELCOME, traffic, GOODBYE (wamp-proto, "Sessions").
extension WAMPSessionRules {
  /// Time in which messages of both sides may cross, in nanoseconds.
  private static let crossing: Int64 = 1_000_000_000

  /// HELLO, WELCOME, ABORT, CHALLENGE, AUTHENTICATE, GOODBYE.
  mutating func talk(
    _ code: UInt64, _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    if !pendingFindings.isEmpty { _ = pendingFindings.reconsider(code, message, listener) }
    let isUp = message.origin.direction == .toServer
    if context.knowsAll
      && (isUp
        ? code == WAMPCode.welcome || code == WAMPCode.challenge
        : code == WAMPCode.hello || code == WAMPCode.authenticate)
    {
      let sender = isUp ? "a client" : "a router"
      return context.tell(
        .wrongDirection, .error, message, "\(sender) does not send \(message.name)", listener)
    }
    switch code {
    case WAMPCode.hello: hello(&array, bytes, &message, listener)
    case WAMPCode.welcome: welcome(&array, bytes, &message, listener)
    case WAMPCode.abort: aborted(&array, bytes, &message, listener)
    case WAMPCode.challenge:
      if stage == .open && !clientLeft && !routerLeft {
        if context.knowsAll {
          context.tell(
            .challengeAfterOpen, .error, message,
            "CHALLENGE, but the session is open already", listener)
        }
      } else {
        unsolicited(&message, listener)
        stage = .challenged
        authentication.challenge(&array, bytes, &message, context, listener)
      }
    case WAMPCode.authenticate:
      if stage != .challenged && context.knowsAll {
        suspect(
          .authenticateUnsolicited, .error, message, "AUTHENTICATE, but no CHALLENGE asked for it",
          unless: .code(WAMPCode.challenge), listener)
      }
      authentication.prove(
        &array, isReadable: place.isReadable, bytes, &message, context, listener)
      if stage != .open { stage = .proved }
    case WAMPCode.goodbye: goodbye(&message, listener)
    default: break
    }
  }

  private mutating func hello(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    // Held back by a hole until its answer was told.
    if let opened, message.origin.isBefore(opened) { return }
    let isSecond =
      stage != .none && stage != .ended && !clientLeft && !routerLeft && context.knowsAll
    if isSecond {
      context.tell(
        .helloTwice, .error, message, "a second HELLO, but the session has not ended", listener)
    }
    // Where the router goes on with the first session, nothing is known of the second.
    let hadGaps = context.hasGaps
    leaveRealm(left: nil, message.origin, listener)
    self = WAMPSessionRules(
      knowsAll: !isSecond && !hadGaps, hasGaps: hadGaps, at: place, shared)
    context.session = message.session
    stage = .greeted
    features.greet(&array, bytes, message, context, listener)
    realmSession.hello(&array, bytes, place, listener)
    if array.dictionary(2) != nil { authentication.offer(&array, bytes, shared) }
  }

  private mutating func welcome(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    if stage == .open && !clientLeft && !routerLeft {
      if context.knowsAll {
        context.tell(
          .welcomeTwice, .error, message, "a second WELCOME, but the session is open already",
          listener)
      }
      return
    }
    unsolicited(&message, listener)
    stage = .open
    opened = message.origin
    features.welcome(&array, bytes, message, context, listener)
    authentication.welcome(&array, bytes, &message, context, listener)
    realmSession.welcome(&array, bytes, &message, context, listener)
  }

  /// WELCOME and CHALLENGE answer a HELLO.
  private mutating func unsolicited(_ message: inout Message, _ listener: any Listener) {
    guard context.knowsAll, stage == .none || stage == .ended || stage == .open else { return }
    suspect(
      .welcomeUnsolicited, .error, message, "\(message.name), but no HELLO asked for a session",
      unless: .code(WAMPCode.hello), listener)
  }

  private mutating func aborted(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    let sender = message.origin.direction == .toServer ? "the client" : "the router"
    var text = "\(sender) \(stage == .open ? "broke off the session" : "refused the session"): "
    text += String(decoding: bytes[message.reason].copied(), as: Unicode.UTF8.self)
    if let details = array.dictionary(1),
      let words = JSON.value(of: "message", in: details, bytes), words.kind == .string
    {
      text += ", "
      text += String(decoding: JSON.unescaped(bytes[words.content]), as: Unicode.UTF8.self)
    }
    context.tell(
      stage == .open ? .abortAfterOpen : .sessionAborted, .warning, message, text, listener)
    end(message.origin, listener)
    abort = message.origin
  }

  private mutating func goodbye(_ message: inout Message, _ listener: any Listener) {
    guard mayGoOn(WAMPCode.goodbye, &message, listener) else { return }
    if message.origin.direction == .toServer { clientLeft = true } else { routerLeft = true }
    if clientLeft && routerLeft { end(message.origin, listener) }
  }

  /// Everything that is not an open session in which nobody has said GOODBYE.
  ///
  /// - Returns: whether the message is to be looked at.
  @inline(never)
  mutating func mayGoOn(
    _ code: UInt64, _ message: inout Message, _ listener: any Listener
  ) -> Bool {
    if !pendingFindings.isEmpty && pendingFindings.reconsider(code, message, listener) {
      if !counter.isNext(message.first.key) { counter.resume(at: message.first.key) }
      return false
    }
    let isUp = message.origin.direction == .toServer
    let afterEnd: Told = isUp ? .clientAfterEnd : .routerAfterEnd
    if isUp ? clientLeft : routerLeft {
      if !told.contains(afterEnd) && context.knowsAll {
        told.insert(afterEnd)
        let sender = isUp ? "the client" : "the router"
        context.tell(
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
        context.tell(
          .messageBeforeHello, .error, message, "\(message.name) without a HELLO before", listener)
      } else {
        context.tell(
          .messageBeforeWelcome, .error, message, "\(message.name) without a WELCOME before",
          listener)
      }
    case .greeted, .challenged, .proved:
      if told.contains(.beforeWelcome) || !context.knowsAll { return true }
      told.insert(.beforeWelcome)
      let text = "\(message.name), but the session is not open: WELCOME has not come yet"
      if isUp {
        suspect(
          .messageBeforeWelcome, .error, message, text, unless: .code(WAMPCode.welcome), listener)
      } else {
        context.tell(.messageBeforeWelcome, .error, message, text, listener)
      }
    case .ended:
      guard let abort, context.knowsAll, !told.contains(afterEnd) else { return false }
      let isAborter = abort.direction == message.origin.direction
      let times = (abort.time, message.origin.time)
      let isLate =
        times.0.isKnown && times.1.isKnown
        && times.1.nanoseconds &- times.0.nanoseconds > Self.crossing
      if isAborter || isLate {
        told.insert(afterEnd)
        context.tell(
          .messageAfterAbort, .error, message, "\(message.name), but ABORT has ended the session",
          listener)
      }
      return false
    }
    return true
  }
}
