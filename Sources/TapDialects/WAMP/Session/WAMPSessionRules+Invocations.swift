// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// CANCEL, and what the callee gets of a call (wamp-proto, "Call Canceling").
extension WAMPSessionRules {
  /// CANCEL.
  mutating func cancel(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    let id = message.first.key
    var hasMode = false
    if let options = array.dictionary(2) {
      hasMode = JSON.value(of: "mode", in: options, bytes) != nil
    }
    if !hasMode {
      context.tell(
        .cancelModeMissing, .note, message,
        "CANCEL names no mode: what happens is up to the router",
        listener)
    }
    if requests.mark(48, id, .isCanceled) || !context.knowsAll { return }
    let isRace = requests.recent(WAMPSpace.call, id) != nil
    context.tell(
      .cancelUnknownCall, isRace ? .note : .warning, message,
      isRace
        ? "CALL request \(id) had its answer before" : "no CALL with request \(id) is open",
      listener)
  }

  /// INTERRUPT.
  mutating func interrupt(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    let id = message.first.key
    if requests.mark(68, id, .isCanceled) {
      // The router waits for no answer, so there may be none.
      if let options = array.dictionary(2),
        let mode = JSON.value(of: "mode", in: options, bytes), mode.kind == .string,
        JSON.equals(bytes, mode.content, "killnowait")
      {
        _ = requests.mark(68, id, .isGivenUp)
        _ = requests.end(68, id)
      }
      return
    }
    if !context.knowsAll { return }
    context.tell(
      .interruptUnknown, .note, message, "no INVOCATION with request \(id) is open",
      listener)
  }

  /// INVOCATION.
  @inline(__always)
  mutating func invoke(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    var request = WAMPRequests.Request(time: message.origin.time)
    let details = array.dictionary(3)
    if let details { request = Self.call(details, bytes, request) }
    request.timeout = 0
    if let grant = grants[message.second.space, message.second.key] {
      if grant.traits.contains(.isPattern) && message.subject.isEmpty {
        context.tell(
          .invocationMissingProcedure, .error, message,
          "INVOCATION of a pattern does not say which procedure was called", listener)
      }
    } else {
      ungranted(&message, listener)
    }
    open(68, message.first.key, request, details, bytes, &message, listener)
  }
}
