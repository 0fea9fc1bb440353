// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Requests and their answers (wamp-proto, "Protocol Violations", "Call Canceling").
extension WAMPSessionRules {
  /// A deadline is passed by this much before it is said, in milliseconds.
  private static let grace: Int64 = 1000

  /// PUBLISH, SUBSCRIBE, UNSUBSCRIBE, CALL, REGISTER, UNREGISTER.
  @inline(__always)
  mutating func ask(
    _ code: UInt64, _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    let id = message.first.key
    let space = message.first.space
    if !counter.isNext(id), judge(id, space, &message, listener) { return }
    var request = WAMPRequests.Request(time: message.origin.time)
    let options = array.dictionary(2)
    if code == WAMPCode.publish {
      // Only what asks for an acknowledgement gets one.
      if !publish(options, bytes, &request, &message, listener) { return }
    } else if code == WAMPCode.call {
      features.checkRoles(code, &message, context, listener)
      if let options { request = Self.call(options, bytes, request) }
      if message.subject.count > 12, bytes.byte(at: message.subject.start) == 0x77,
        bytes[message.subject].starts(with: "wamp.")
      {
        request.traits.insert(.isMeta)
        realmSession.callRouter(bytes, &message, context)
      }
      if request.traits.contains(.isInParts) { request.object = bytes[message.subject].fingerprint }
    } else if code == WAMPCode.subscribe || code == WAMPCode.register {
      features.checkRoles(code, &message, context, listener)
      prepare(options, bytes, &request, &message, listener)
    } else if code == WAMPCode.unsubscribe || code == WAMPCode.unregister {
      request.object = message.second.key
      leave(&message, listener)
    }
    open(space, id, request, options, bytes, &message, listener)
  }

  @inline(__always)
  mutating func open(
    _ space: UInt8, _ id: UInt64, _ request: WAMPRequests.Request, _ options: ByteRange?,
    _ bytes: RawSpan, _ message: inout Message, _ listener: any Listener
  ) {
    makeRoom(listener)
    if !requests.begin(space, id, request) {
      reopen(space, id, request, options, bytes, &message, listener)
    }
  }

  static func call(
    _ options: ByteRange, _ bytes: RawSpan, _ plain: WAMPRequests.Request
  ) -> WAMPRequests.Request {
    var request = plain
    if JSON.value(of: "progress", in: options, bytes)?.kind == .yes {
      request.traits.formUnion([.isInParts, .hadParts])
    }
    if JSON.value(of: "receive_progress", in: options, bytes)?.kind == .yes {
      request.traits.insert(.takesProgress)
    }
    if let timeout = JSON.value(of: "timeout", in: options, bytes), timeout.kind == .natural {
      request.timeout = JSON.natural(bytes, timeout.range).flatMap { UInt32(exactly: $0) } ?? 0
    }
    return request
  }

  /// A request that is not the next one.
  ///
  /// - Returns: whether it comes too late for the call that it belongs to.
  @inline(never)
  private mutating func judge(
    _ id: UInt64, _ space: UInt8, _ message: inout Message, _ listener: any Listener
  ) -> Bool {
    if requests[space, id] != nil { return false }
    if space == WAMPSpace.call, requests.recent(space, id)?.contains(.hadParts) == true {
      context.tell(
        .continuationLate, .note, message,
        "one more part of CALL request \(id), which had its answer before: it is discarded",
        listener)
      return true
    }
    if !context.knowsAll {
      counter.resume(at: id)
      return false
    }
    if let other = requests.otherKind(space, id), !told.contains(.reuse) {
      told.insert(.reuse)
      context.tell(
        .requestIDReuse, .warning, message, "request \(id) is open for a \(Self.name(other)) too",
        listener)
    }
    switch counter.judge(id) {
    case .fine: break
    case .late:
      context.tell(
        .requestIDNotOne, .note, message, "the first request of the session is \(id), not 1",
        listener)
    case .gap(let last):
      context.tell(
        .requestIDGap, .error, message, "request \(id) follows request \(last): ids were skipped",
        listener)
    case .irregular(let last):
      context.tell(
        .requestIDGap, .note, message,
        "request \(id) follows request \(last): this client does not count up by one", listener)
    }
    return false
  }

  static func name(_ space: UInt8) -> StaticString { WAMPType(code: UInt64(space))?.name ?? "" }

  /// PUBLISHED, SUBSCRIBED, UNSUBSCRIBED, REGISTERED, UNREGISTERED.
  @inline(__always)
  mutating func acknowledge(
    _ code: UInt64, _ message: inout Message, _ listener: any Listener
  ) {
    let link = message.first
    guard link.role == .answers else {
      if code == WAMPCode.unsubscribed || code == WAMPCode.unregistered {
        revoke(&message, listener)
      }
      return
    }
    let request = requests.end(link.space, link.key)
    if code != WAMPCode.published {
      settle(code, request, &message, listener)
    } else {
      if let request, request.traits.contains(.isOwnTopic) { remember(request.object, &message) }
      realmSession.published(&message, context, listener)
    }
    if request == nil { tellUnexpectedAnswer(link, &message, listener) }
  }

  /// RESULT and YIELD.
  @inline(__always)
  mutating func answer(_ space: UInt8, _ message: inout Message, _ listener: any Listener) {
    let link = message.first
    if link.role == .continues {
      guard let request = requests[space, link.key] else {
        return tellUnexpectedAnswer(link, &message, listener)
      }
      _ = requests.mark(space, link.key, .hadProgress)
      if space == WAMPSpace.call, context.knowsAll,
        request.traits.isDisjoint(with: [.takesProgress, .hadProgress])
      {
        context.tell(
          .progressUnrequested, .error, message,
          "a progressive RESULT, but CALL request \(link.key) did not ask for any", listener)
      } else if space == WAMPSpace.invocation,
        request.traits.isDisjoint(with: [.takesProgress, .hadProgress])
      {
        context.tell(
          .yieldProgressUnrequested, .error, message,
          "a progressive YIELD, but INVOCATION request \(link.key) did not ask for any", listener)
      }
      return
    }
    guard let request = requests.end(space, link.key) else {
      return tellUnexpectedAnswer(link, &message, listener)
    }
    if space != WAMPSpace.call { return }
    if !request.traits.contains(.isMeta) { realmSession.answer() }
    checkTime(request, &message, listener)
  }

  /// How long a CALL took.
  @inline(__always)
  private mutating func checkTime(
    _ request: WAMPRequests.Request, _ message: inout Message, _ listener: any Listener
  ) {
    let (began, now) = (request.time, message.origin.time)
    if request.timeout > 0 {
      checkTimeout(request, &message, listener)
    } else if began.isKnown && now.isKnown
      && now.nanoseconds &- began.nanoseconds > Self.slowCall
    {
      tellSlow(began, &message, listener)
    }
  }

  private mutating func checkTimeout(
    _ request: WAMPRequests.Request, _ message: inout Message, _ listener: any Listener
  ) {
    let (began, now) = (request.time, message.origin.time)
    guard began.isKnown, now.isKnown else { return }
    let elapsed = (now.nanoseconds &- began.nanoseconds) / 1_000_000
    if elapsed > Int64(request.timeout) + Self.grace {
      context.tell(
        .timeoutExceeded, .warning, message,
        "CALL request \(message.first.key) was to end within \(request.timeout) ms,"
          + " but ended after \(elapsed) ms", listener)
    }
  }

  /// An answer that no open request of its kind asked for.
  @inline(never)
  private mutating func tellUnexpectedAnswer(
    _ link: Link, _ message: inout Message, _ listener: any Listener
  ) {
    if !context.knowsAll { return }
    let (space, id) = (link.space, link.key)
    let isFailure = message.traits.contains(.isFailure)
    if let traits = requests.recent(space, id) {
      if traits.contains(.isGivenUp), requests.takeGivenUp(space, id) { return }
      let isLate = traits.contains(.isCanceled)
      let code: Finding.Code =
        space == WAMPSpace.call
        ? .resultAfterFinal : space == WAMPSpace.invocation ? .yieldAfterFinal : .ackDuplicate
      return context.tell(
        code, isLate ? .note : .error, message,
        "\(Self.name(space)) request \(id) was answered before", listener)
    }
    if !isFailure && space != WAMPSpace.invocation, let other = requests.otherKind(space, id) {
      return context.tell(
        .ackWrongKind, .error, message,
        "request \(id) is a \(Self.name(other)), which"
          + " \(message.name) does not answer", listener)
    }
    if space == WAMPSpace.publish && !isFailure && unacknowledged.contains(id) {
      return context.tell(
        .publishedUnrequested, .error, message,
        "PUBLISHED, but PUBLISH request \(id) asked for no acknowledgement", listener)
    }
    let code: Finding.Code =
      space == WAMPSpace.invocation
      ? .yieldUnknownInvocation
      : isFailure
        ? .errorUnknownRequest : space == WAMPSpace.call ? .resultUnknownCall : .ackUnknownRequest
    suspect(
      code, .error, message,
      "\(message.name), but no \(Self.name(space)) with request \(id) waits for an answer",
      unless: .request(space: space, id: id), listener)
  }

  /// ERROR.
  @inline(never)
  mutating func refuse(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message, _ listener: any Listener
  ) {
    let link = message.first
    guard link.role == .answers, WAMPRequests.spaces.contains(link.space) else {
      return context.tell(
        .errorBadRequestType, .error, message,
        "ERROR answers PUBLISH, SUBSCRIBE, CALL and the like, not a message of type"
          + " \(array.number(1, bytes) ?? 0)",
        listener)
    }
    let isUp = message.origin.direction == .toServer
    if isUp != (link.space == WAMPSpace.invocation) {
      if !context.knowsAll { return }
      return context.tell(
        .errorWrongDirection, .error, message,
        "the \(isUp ? "router" : "client") answers \(Self.name(link.space)) with ERROR,"
          + " nobody else",
        listener)
    }
    let request = requests.end(link.space, link.key)
    if let request, link.space == WAMPSpace.call { checkTime(request, &message, listener) }
    if link.space == WAMPSpace.subscribe || link.space == WAMPSpace.register {
      grants[pattern: link.space, link.key] = nil
    }
    if request == nil { tellUnexpectedAnswer(link, &message, listener) }
    if link.space == WAMPSpace.publish { realmSession.unpublish(link.key) }
    if link.space == WAMPSpace.call { realmSession.uncall(link.key) }
    // The callee's ERROR is told where the caller gets it.
    if isUp || request?.traits.contains(.isCanceled) == true { return }
    let isUnknown = JSON.equals(bytes, message.reason, "wamp.error.no_such_procedure")
    let uri = String(decoding: bytes[message.reason].copied(), as: Unicode.UTF8.self)
    let isConflict = link.space == WAMPSpace.register && Self.conflicts.contains(uri)
    var found = context.finding(
      isUnknown ? .noSuchProcedure : isConflict ? .registerConflict : .errorReply, .warning,
      message.origin,
      "\(Self.name(link.space)) request \(link.key)", about: link, " failed: \(uri)")
    found.isAboutLastMessage = true
    found.isSaidByMessage = true
    listener.finding(found)
  }
}
