// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapSessions
import TapTraffic

/// The order of a session: HELLO, WELCOME, traffic, GOODBYE (wamp-proto, "Sessions").
extension WAMPSessionRules {
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
      return context.report(
        .wrongDirection, .error, message, "\(sender) does not send \(message.name)", listener)
    }
    if code != WAMPCode.hello && order.crosses(message.origin) { return }
    switch code {
    case WAMPCode.hello: hello(&array, bytes, &message, listener)
    case WAMPCode.welcome: welcome(&array, bytes, &message, listener)
    case WAMPCode.abort: aborted(&array, bytes, &message, listener)
    case WAMPCode.challenge:
      if order.isOpen {
        if context.knowsAll {
          context.report(
            .challengeAfterOpen, .error, message,
            "CHALLENGE, but the session is open already", listener)
        }
      } else {
        unsolicited(&message, listener)
        order.challenge()
        authentication.challenge(&array, bytes, &message, context, listener)
      }
    case WAMPCode.authenticate:
      if order.stage != .challenged && context.knowsAll {
        pendingFindings.suspect(
          .authenticateUnsolicited, .error, message, "AUTHENTICATE, but no CHALLENGE asked for it",
          unless: .code(WAMPCode.challenge), context, listener)
      }
      authentication.prove(
        &array, isReadable: place.isReadable, bytes, &message, context, listener)
      order.prove()
    case WAMPCode.goodbye: goodbye(&message, listener)
    default: break
    }
  }

  private mutating func hello(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    // A gap in the stream held this HELLO back until its WELCOME was reported.
    if let opened = realmSession.opened, message.origin.isBefore(opened) { return }
    let isSecond = order.isUnderWay && context.knowsAll
    if isSecond {
      context.report(
        .helloTwice, .error, message, "a second HELLO, but the session has not ended", listener)
    }
    // The router may continue with the first session, so nothing is known of the second.
    let hadGaps = context.hasGaps
    leaveRealm(left: nil, message.origin, listener)
    self = WAMPSessionRules(
      knowsAll: !isSecond && !hadGaps, hasGaps: hadGaps, at: place, shared)
    context.session = message.session
    order.greet()
    features.greet(&array, bytes, message, context, listener)
    realmSession.hello(&array, bytes, place, listener)
    if array.dictionary(2) != nil { authentication.offer(&array, bytes, shared) }
  }

  private mutating func welcome(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    if order.isOpen {
      if context.knowsAll {
        context.report(
          .welcomeTwice, .error, message, "a second WELCOME, but the session is open already",
          listener)
      }
      return
    }
    unsolicited(&message, listener)
    order.open()
    features.welcome(&array, bytes, message, context, listener)
    authentication.welcome(&array, bytes, &message, context, listener)
    realmSession.welcome(&array, bytes, &message, context, listener)
  }

  /// WELCOME and CHALLENGE answer a HELLO.
  private mutating func unsolicited(_ message: inout Message, _ listener: any Listener) {
    guard context.knowsAll, order.awaitsHello else { return }
    pendingFindings.suspect(
      .welcomeUnsolicited, .error, message, "\(message.name), but no HELLO asked for a session",
      unless: .code(WAMPCode.hello), context, listener)
  }

  private mutating func aborted(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    let sender = message.origin.direction == .toServer ? "the client" : "the router"
    let deed =
      order.stage == .open
      ? "broke off the session"
      // Of a session that was joined midway, nothing shows whether it was open.
      : order.stage == .none && !context.knowsAll ? "ended the session" : "refused the session"
    var text = "\(sender) \(deed): "
    text += String(decoding: bytes[message.reason].copied(), as: Unicode.UTF8.self)
    if let details = array.dictionary(1),
      let words = JSON.value(of: "message", in: details, bytes), words.kind == .string
    {
      text += ", "
      text += String(decoding: JSON.unescaped(bytes[words.content]), as: Unicode.UTF8.self)
    }
    context.report(
      order.stage == .open ? .abortAfterOpen : .sessionAborted, .warning, message, text, listener)
    end(message.origin, listener)
    order.end(by: message.origin)
  }

  private mutating func goodbye(_ message: inout Message, _ listener: any Listener) {
    guard checkOrder(WAMPCode.goodbye, &message, listener) else { return }
    if order.leave(message.origin.direction) { end(message.origin, listener) }
  }

  /// Checks a message of a session that is not open, or in which a side has sent GOODBYE.
  ///
  /// - Returns: whether the other rules should check the message.
  @inline(never)
  mutating func checkOrder(
    _ code: UInt64, _ message: inout Message, _ listener: any Listener
  ) -> Bool {
    if !pendingFindings.isEmpty && pendingFindings.reconsider(code, message, listener) {
      requestRules.skip(message.first.key)
      return false
    }
    return order.check(&message, &context, &pendingFindings, listener)
  }
}
