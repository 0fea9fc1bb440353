// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Passes requests and answers to all rules of a session.
extension WAMPSessionRules {
  /// The errors of REGISTER when another callee has registered the procedure.
  private static let conflicts: Set<String> = [
    "wamp.error.procedure_already_exists",
    "wamp.error.procedure_exists_with_different_invocation_policy",
  ]

  /// PUBLISH, SUBSCRIBE, UNSUBSCRIBE, CALL, REGISTER, UNREGISTER.
  @inline(__always)
  mutating func ask(
    _ code: UInt64, _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    if requestRules.isLate(&message, context, listener) { return }
    var request = WAMPRequests.Request(time: message.origin.time)
    let options = array.dictionary(2)
    if code == WAMPCode.publish {
      // PUBLISH without acknowledgement has no answer.
      if !publish(options, bytes, &request, &message, listener) { return }
    } else if code == WAMPCode.call {
      features.checkRoles(code, &message, context, listener)
      if let options { request = WAMPRequestRules.call(options, bytes, request) }
      if message.subject.count > 12, bytes.byte(at: message.subject.start) == UInt8(ascii: "w"),
        bytes[message.subject].starts(with: "wamp.")
      {
        request.traits.insert(.isMeta)
        realmSession.callRouter(bytes, &message, context)
      }
      if request.traits.contains(.isInParts) { request.object = bytes[message.subject].fingerprint }
    } else if code == WAMPCode.subscribe || code == WAMPCode.register {
      features.checkRoles(code, &message, context, listener)
      if message.traits.contains(.isPattern) { makeRoom(listener) }
      grantRules.prepare(options, bytes, &request, &message, realmSession, context, listener)
    } else if code == WAMPCode.unsubscribe || code == WAMPCode.unregister {
      request.object = message.second.key
      grantRules.leave(&message, context, &pendingFindings, listener)
    }
    makeRoom(listener)
    requestRules.open(request, options, bytes, &message, context, listener)
  }

  /// PUBLISH.
  ///
  /// - Returns: whether it asks for an acknowledgement.
  @inline(__always)
  private mutating func publish(
    _ options: ByteRange?, _ bytes: RawSpan, _ request: inout WAMPRequests.Request,
    _ message: inout Message, _ listener: any Listener
  ) -> Bool {
    let isAcknowledged = !message.traits.contains(.asksNothing)
    features.checkRoles(
      WAMPCode.publish, &message, isAcknowledged: isAcknowledged, context, listener)
    requestRules.count(publish: message.first.key, isAcknowledged: isAcknowledged)
    if realmSession.isCompared || grantRules.grants.hasTopics {
      let topic = bytes[message.subject].fingerprint
      realmSession.publish(
        topic, isAcknowledged: isAcknowledged, to: features.listsReceivers ? options : nil, bytes,
        &message, context, listener)
      grantRules.publish(topic, options, bytes, isAcknowledged: isAcknowledged, &request)
    }
    return isAcknowledged
  }

  /// INVOCATION.
  @inline(__always)
  mutating func invoke(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    if requestRules.requests.isLatePart(message.first.space, message.first.key) {
      return requestRules.reportLatePart(&message, context, listener)
    }
    var request = WAMPRequests.Request(time: message.origin.time)
    let details = array.dictionary(3)
    if let details { request = WAMPRequestRules.call(details, bytes, request) }
    request.timeout = 0
    if let grant = grantRules.grants[message.second.space, message.second.key] {
      if grant.traits.contains(.isPattern) && message.subject.isEmpty {
        context.report(
          .invocationMissingProcedure, .error, message,
          "INVOCATION of a pattern does not say which procedure was called", listener)
      }
    } else {
      grantRules.reportUngranted(
        &message, isSubscribing: requestRules.requests.isSubscribing, context, listener)
    }
    makeRoom(listener)
    requestRules.open(request, details, bytes, &message, context, listener)
  }

  @inline(__always)
  mutating func event(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    grantRules.event(
      &array, bytes, &message, isSubscribing: requestRules.requests.isSubscribing, &realmSession,
      context, listener)
  }

  /// PUBLISHED, SUBSCRIBED, UNSUBSCRIBED, REGISTERED, UNREGISTERED.
  @inline(__always)
  mutating func acknowledge(
    _ code: UInt64, _ message: inout Message, _ listener: any Listener
  ) {
    let link = message.first
    guard link.role == .answers else {
      if code == WAMPCode.unsubscribed || code == WAMPCode.unregistered {
        grantRules.revoke(&message, features, realmSession, context, listener)
      }
      return
    }
    let request = requestRules.requests.end(link.space, link.key)
    if code != WAMPCode.published {
      settle(code, request, &message, listener)
    } else {
      if let request, request.traits.contains(.isOwnTopic) {
        grantRules.remember(request.object, &message)
      }
      realmSession.published(&message, listener)
    }
    if request == nil { reportUnexpectedAnswer(&message, listener) }
  }

  @inline(never)
  private mutating func settle(
    _ code: UInt64, _ request: WAMPRequests.Request?, _ message: inout Message,
    _ listener: any Listener
  ) {
    switch code {
    case WAMPCode.subscribed, WAMPCode.registered:
      makeRoom(listener)
      grantRules.grant(request, &message, &realmSession, context, listener)
      if code == WAMPCode.registered { return }
      grantRules.reportEarly(
        of: message.second.key, isLast: !requestRules.requests.isSubscribing, context, listener)
    default:
      guard let request else { return }
      let space = code == WAMPCode.unsubscribed ? WAMPSpace.subscription : WAMPSpace.registration
      grantRules.end(space, request.object, message.origin, realmSession, context, listener)
    }
  }

  /// RESULT and YIELD.
  @inline(__always)
  mutating func answer(_ space: UInt8, _ message: inout Message, _ listener: any Listener) {
    let call = requestRules.answer(space, &message, context, &pendingFindings, listener)
    if let call, !call.traits.contains(.isMeta) { realmSession.answer() }
  }

  @inline(never)
  private mutating func reportUnexpectedAnswer(
    _ message: inout Message, _ listener: any Listener
  ) {
    requestRules.reportUnexpectedAnswer(&message, context, &pendingFindings, listener)
  }

  /// ERROR.
  @inline(never)
  mutating func refuse(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message, _ listener: any Listener
  ) {
    let link = message.first
    let isUp = message.origin.direction == .toServer
    // A router refuses a YIELD that it cannot pass on; some refuse a CANCEL of an unknown mode.
    let isOther = link.space == UInt8(WAMPCode.yield) || link.space == UInt8(WAMPCode.cancel)
    if !isUp, isOther, link.role == .answers {
      return reportFailure(bytes, &message, listener)
    }
    guard link.role == .answers, WAMPRequests.spaces.contains(link.space) else {
      return context.report(
        .errorBadRequestType, .error, message,
        "ERROR answers PUBLISH, SUBSCRIBE, CALL and the like, not a message of type"
          + " \(array.number(1, bytes) ?? 0)",
        listener)
    }
    if isUp != (link.space == WAMPSpace.invocation) {
      if !context.knowsAll { return }
      return context.report(
        .errorWrongDirection, .error, message,
        "the \(isUp ? "router" : "client") answers \(WAMPRequestRules.name(link.space)) with ERROR,"
          + " nobody else",
        listener)
    }
    let request = requestRules.requests.end(link.space, link.key)
    if let request, link.space == WAMPSpace.call {
      requestRules.checkTime(request, &message, context, listener)
    }
    if link.space == WAMPSpace.subscribe || link.space == WAMPSpace.register {
      grantRules.refuse(link)
    }
    if request == nil { reportUnexpectedAnswer(&message, listener) }
    if link.space == WAMPSpace.publish {
      if let request { grantRules.refuse(publish: request) }
      realmSession.unpublish(link.key)
    }
    if link.space == WAMPSpace.unsubscribe || link.space == WAMPSpace.unregister, let request {
      grantRules.refuse(
        bytes, leaving: request.object, message, realmSession, context, listener)
    }
    if link.space == WAMPSpace.call { realmSession.uncall(link.key) }
    // The callee's ERROR is reported where the caller receives it.
    if isUp || request?.traits.contains(.isCanceled) == true { return }
    reportFailure(bytes, &message, listener)
  }

  /// What the router refuses, and why.
  private func reportFailure(
    _ bytes: RawSpan, _ message: inout Message, _ listener: any Listener
  ) {
    let link = message.first
    let isUnknown = JSON.equals(bytes, message.reason, "wamp.error.no_such_procedure")
    let uri = String(decoding: bytes[message.reason].copied(), as: Unicode.UTF8.self)
    let isConflict = link.space == WAMPSpace.register && Self.conflicts.contains(uri)
    var found = context.finding(
      isUnknown ? .noSuchProcedure : isConflict ? .registerConflict : .errorReply, .warning,
      message.origin,
      "\(WAMPRequestRules.name(link.space)) request \(link.key)", about: link, " failed: \(uri)")
    found.isAboutLastMessage = true
    found.isSaidByMessage = true
    listener.finding(found)
  }
}
