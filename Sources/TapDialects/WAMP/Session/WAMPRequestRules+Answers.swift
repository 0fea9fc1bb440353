// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Answers, and the canceling of calls (wamp-proto, "Call Canceling").
extension WAMPRequestRules {
  /// A call that takes longer is reported as slow; nanoseconds.
  private static let slowCall: Int64 = 5_000_000_000
  /// How much a timeout may be exceeded before it is reported, in milliseconds.
  private static let grace: Int64 = 1000

  /// RESULT and YIELD.
  ///
  /// - Returns: the CALL that this RESULT ends, if any.
  @inline(__always)
  mutating func answer(
    _ space: UInt8, _ message: inout Message, _ context: WAMPSessionContext,
    _ pendingFindings: inout WAMPPendingFindings, _ listener: any Listener
  ) -> WAMPRequests.Request? {
    if message.first.role == .continues {
      continueAnswer(space, &message, context, &pendingFindings, listener)
      return nil
    }
    guard let request = requests.end(space, message.first.key) else {
      reportUnexpectedAnswer(&message, context, &pendingFindings, listener)
      return nil
    }
    if space != WAMPSpace.call { return nil }
    checkTime(request, &message, context, listener)
    return request
  }

  /// A progressive RESULT or YIELD: more will follow.
  private mutating func continueAnswer(
    _ space: UInt8, _ message: inout Message, _ context: WAMPSessionContext,
    _ pendingFindings: inout WAMPPendingFindings, _ listener: any Listener
  ) {
    let link = message.first
    guard let request = requests[space, link.key] else {
      return reportUnexpectedAnswer(&message, context, &pendingFindings, listener)
    }
    if request.timeout > 0 { checkTimeout(request, &message, context, listener) }
    requests.progress(space, link.key, at: message.origin.time)
    if space == WAMPSpace.call, context.knowsAll,
      request.traits.isDisjoint(with: [.takesProgress, .hadProgress])
    {
      context.report(
        .progressUnrequested, .error, message,
        "a progressive RESULT, but CALL request \(link.key) did not ask for any", listener)
    } else if space == WAMPSpace.invocation,
      request.traits.isDisjoint(with: [.takesProgress, .hadProgress])
    {
      context.report(
        .yieldProgressUnrequested, .error, message,
        "a progressive YIELD, but INVOCATION request \(link.key) did not ask for any", listener)
    }
  }

  /// Checks how long a CALL took.
  @inline(__always)
  func checkTime(
    _ request: WAMPRequests.Request, _ message: inout Message, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    let (began, now) = (request.time, message.origin.time)
    if request.timeout > 0 {
      checkTimeout(request, &message, context, listener)
    } else if began.isKnown && now.isKnown
      && now.nanoseconds &- began.nanoseconds > Self.slowCall
    {
      reportSlow(began, &message, context, listener)
    }
  }

  private func checkTimeout(
    _ request: WAMPRequests.Request, _ message: inout Message, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    guard let passed = message.origin.leastSince(request.time) else { return }
    let elapsed = passed / 1_000_000
    if elapsed > Int64(request.timeout) + Self.grace {
      context.report(
        .timeoutExceeded, .warning, message,
        "CALL request \(message.first.key) has a timeout of \(request.timeout) ms, and the "
          + (request.traits.contains(.hadProgress) ? "next result" : "answer")
          + " came after \(message.origin.isCoarse ? "at least " : "")\(elapsed) ms", listener)
    }
  }

  @inline(never)
  private func reportSlow(
    _ began: Instant, _ message: inout Message, _ context: WAMPSessionContext,
    _ listener: any Listener
  ) {
    guard let passed = message.origin.leastSince(began), passed > Self.slowCall else { return }
    var found = context.finding(
      .callSlow, .note, message.origin, "CALL request \(message.first.key)", about: message.first,
      " took \(message.origin.isCoarse ? "at least " : "")\(passed / 1_000_000) ms")
    found.isAboutLastMessage = true
    listener.finding(found)
  }

  /// An answer to no open request of its kind.
  @inline(never)
  mutating func reportUnexpectedAnswer(
    _ message: inout Message, _ context: WAMPSessionContext,
    _ pendingFindings: inout WAMPPendingFindings, _ listener: any Listener
  ) {
    if !context.knowsAll { return }
    let (space, id) = (message.first.space, message.first.key)
    let isFailure = message.traits.contains(.isFailure)
    if let traits = requests.recent(space, id) {
      let isLate = traits.contains(.isCanceled)
      let code: Finding.Code =
        space == WAMPSpace.call
        ? .resultAfterFinal : space == WAMPSpace.invocation ? .yieldAfterFinal : .ackDuplicate
      return context.report(
        code, isLate ? .note : .error, message,
        "\(Self.name(space)) request \(id) was answered before", listener)
    }
    if !isFailure && space != WAMPSpace.invocation, let other = requests.otherKind(space, id) {
      // That was the answer: nobody waits for another one.
      if other != WAMPSpace.call { _ = requests.end(other, id) }
      return context.report(
        .ackWrongKind, .error, message,
        "request \(id) is a \(Self.name(other)), which"
          + " \(message.name) does not answer", listener)
    }
    if space == WAMPSpace.publish && !isFailure && isUnacknowledged(id) {
      return context.report(
        .publishedUnrequested, .error, message,
        "PUBLISHED, but PUBLISH request \(id) asked for no acknowledgement", listener)
    }
    let code: Finding.Code =
      space == WAMPSpace.invocation
      ? .yieldUnknownInvocation
      : isFailure
        ? .errorUnknownRequest : space == WAMPSpace.call ? .resultUnknownCall : .ackUnknownRequest
    pendingFindings.suspect(
      code, .error, message,
      "\(message.name), but no \(Self.name(space)) with request \(id) waits for an answer",
      unless: .request(space: space, id: id), context, listener)
  }

  mutating func cancel(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    let id = message.first.key
    var hasMode = false
    if let options = array.dictionary(2) {
      hasMode = JSON.value(of: "mode", in: options, bytes) != nil
    }
    if !hasMode {
      context.report(
        .cancelModeMissing, .note, message,
        "CANCEL names no mode: what happens is up to the router",
        listener)
    }
    if requests.mark(WAMPSpace.call, id, .isCanceled) || !context.knowsAll { return }
    let isRace = requests.recent(WAMPSpace.call, id) != nil
    context.report(
      .cancelUnknownCall, isRace ? .note : .warning, message,
      isRace
        ? "CALL request \(id) had its answer before" : "no CALL with request \(id) is open",
      listener)
  }

  mutating func interrupt(
    _ message: inout Message, _ context: WAMPSessionContext, _ listener: any Listener
  ) {
    let id = message.first.key
    if requests.mark(WAMPSpace.invocation, id, .isCanceled) || !context.knowsAll { return }
    context.report(
      .interruptUnknown, .note, message, "no INVOCATION with request \(id) is open",
      listener)
  }
}
