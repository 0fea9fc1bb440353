// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``WAMPRequestFindings``.
extension Finding.Code {
  static let callUnanswered: Self = "wamp.call-unanswered"
  static let callNotFinished: Self = "wamp.call-not-finished-progress"
  static let timeoutExceeded: Self = "wamp.call-timeout-exceeded"
  static let cancelUnanswered: Self = "wamp.cancel-unanswered"
  static let cancelUnknownCall: Self = "wamp.cancel-unknown-call"
  static let cancelModeMissing: Self = "wamp.cancel-mode-missing"
  static let interruptUnknown: Self = "wamp.interrupt-unknown"
  static let invocationUnanswered: Self = "wamp.invocation-unanswered"
  static let requestUnanswered: Self = "wamp.request-unanswered"
  static let requestIDDuplicate: Self = "wamp.request-id-duplicate"
  static let requestIDReuse: Self = "wamp.request-id-reuse-cross-kind"
  static let requestIDGap: Self = "wamp.request-id-gap"
  static let requestIDNotOne: Self = "wamp.request-id-not-one-first"
  static let ackUnknownRequest: Self = "wamp.ack-unknown-request"
  static let ackDuplicate: Self = "wamp.ack-duplicate"
  static let ackWrongKind: Self = "wamp.ack-wrong-kind"
  static let errorUnknownRequest: Self = "wamp.error-unknown-request"
  static let errorBadRequestType: Self = "wamp.error-bad-reqtype"
  static let errorWrongDirection: Self = "wamp.error-wrong-direction"
  static let errorReply: Self = "wamp.error-reply"
  static let noSuchProcedure: Self = "wamp.no-such-procedure"
  static let resultUnknownCall: Self = "wamp.result-unknown-call"
  static let resultAfterFinal: Self = "wamp.result-after-final"
  static let yieldUnknownInvocation: Self = "wamp.yield-unknown-invocation"
  static let yieldAfterFinal: Self = "wamp.yield-after-final"
  static let progressUnrequested: Self = "wamp.result-progress-unrequested"
}

/// Explanations of findings about requests and their answers.
enum WAMPRequestFindings {
  static let all: [Explanation] = [
    Explanation(
      .callUnanswered, .warning, or: .note,
      "A CALL was never answered. A note when the capture ended before an answer could come.",
      cause: "A callee that hangs, or lost its connection; a router that lost the reply.",
      remedy: "Look for the INVOCATION at the callee, and for its YIELD.",
      source: "WAMP, \"Remote Procedure Calls\""),
    Explanation(
      .callNotFinished, .warning,
      "A CALL had progressive results, but never the last one.",
      cause: "A callee that stops in the middle, or forgets the final YIELD.",
      remedy: "Let the callee end with a YIELD without progress, or with ERROR.",
      source: "WAMP, \"Progressive Call Results\""),
    Explanation(
      .timeoutExceeded, .warning,
      "A CALL was answered more than a second after its timeout.",
      cause: "A router, or a callee, that ignores the option timeout.",
      remedy: "See whether the dealer announces call_timeout; else time out in the caller.",
      source: "WAMP, \"Call Timeouts\""),
    Explanation(
      .cancelUnanswered, .warning,
      "A canceled CALL was never answered.",
      cause: "A router that sends no ERROR in mode skip, or a callee that ignores INTERRUPT.",
      remedy: "Do not wait in the caller, or use mode killnowait.",
      source: "WAMP, \"Call Canceling\""),
    Explanation(
      .cancelUnknownCall, .warning, or: .note,
      "CANCEL names no open CALL; a note where the answer came before it.",
      cause: "A race with the answer, which is harmless, or a wrong request id.",
      remedy: "If there never was such a CALL, see where the client takes the id from.",
      source: "WAMP, \"Call Canceling\""),
    Explanation(
      .cancelModeMissing, .note,
      "CANCEL names no mode.",
      cause: "A client that leaves it to the router.",
      remedy: "Name skip, kill or killnowait: the behaviour of other values is not specified.",
      source: "WAMP, \"Call Canceling\""),
    Explanation(
      .interruptUnknown, .note,
      "INTERRUPT names no open INVOCATION.",
      cause: "A race with the YIELD of the callee.",
      remedy: "Harmless: the callee ignores it.",
      source: "WAMP, \"Call Canceling\""),
    Explanation(
      .invocationUnanswered, .warning,
      "An INVOCATION was never answered.",
      cause: "A handler that hangs, or that the session ended before.",
      remedy: "Look at the callee's log for the procedure.",
      source: "WAMP, \"Remote Procedure Calls\""),
    Explanation(
      .requestUnanswered, .warning, or: .note,
      "SUBSCRIBE, UNSUBSCRIBE, REGISTER, UNREGISTER or acknowledged PUBLISH was never answered."
        + " A note when the capture ended before an answer could come.",
      cause: "A router that drops what it does not take, or the end of the session.",
      remedy: "Look at the router's log; let the client wait for the answer before it leaves.",
      source: "WAMP, \"Publish and Subscribe\", \"Remote Procedure Calls\""),
    Explanation(
      .requestIDDuplicate, .error,
      "A request has the id of one of its kind that is still open.",
      cause: "A counter that is not shared, or starts anew within the session.",
      remedy: "Use one counter for all requests of a session.",
      source: "WAMP, \"IDs\""),
    Explanation(
      .requestIDReuse, .warning,
      "A request has the id of an open one of another kind.",
      cause: "A client with one counter for each kind of request.",
      remedy: "Use one counter for all requests of a session.",
      source: "WAMP, \"IDs\""),
    Explanation(
      .requestIDGap, .error, or: .note,
      "Request ids are not sequential; a note, once, for a client that never counts up by one.",
      cause: "Messages that the client dropped after numbering them, or random ids.",
      remedy: "Count up by one from 1 in each session.",
      source: "WAMP, \"IDs\""),
    Explanation(
      .requestIDNotOne, .note,
      "The first request of a session is not 1.",
      cause: "Random ids, or a counter that goes on from the session before.",
      remedy: "Begin with 1 after each WELCOME.",
      source: "WAMP, \"IDs\""),
    Explanation(
      .ackUnknownRequest, .error,
      "An acknowledgement names a request that was never made.",
      cause: "A router that mixes sessions up, or PUBLISHED for a PUBLISH that did not ask for it.",
      remedy: "Compare the ids of both sides.",
      source: "WAMP, \"Protocol Violations\""),
    Explanation(
      .ackDuplicate, .error,
      "A request was answered a second time.",
      cause: "A router that acknowledges twice.",
      remedy: "Report it to the authors of the router.",
      source: "WAMP, \"Protocol Violations\""),
    Explanation(
      .ackWrongKind, .error,
      "An acknowledgement names a request of another kind.",
      cause: "A router, or a mock of one, that answers with the wrong type.",
      remedy: "See what answers the request: wamptap explain NAME.",
      source: "WAMP, \"Protocol Violations\""),
    Explanation(
      .errorUnknownRequest, .error,
      "ERROR names a request that was never made.",
      cause: "A router that mixes sessions up, or ERROR for a PUBLISH that did not ask for it.",
      remedy: "Compare the ids of both sides.",
      source: "WAMP, \"Protocol Violations\""),
    Explanation(
      .errorBadRequestType, .error,
      "ERROR answers a type of message that ERROR does not answer.",
      cause: "A type code in the wrong place.",
      remedy: "Use 16, 32, 34, 48, 64, 66 or 68; a router also 70, for a YIELD that it cannot pass"
        + " on.",
      source: "WAMP, \"Protocol Violations\""),
    Explanation(
      .errorWrongDirection, .error,
      "ERROR for this kind of request comes from the other side only.",
      cause: "A callee that answers with the type of CALL instead of INVOCATION.",
      remedy: "A callee sends [8, 68, ...], a router everything else.",
      source: "WAMP, \"Protocol Violations\""),
    Explanation(
      .errorReply, .warning,
      "A request failed.",
      cause: "What the URI says: wamptap explain NAME knows the predefined ones.",
      remedy: "See the arguments of the ERROR.",
      source: "WAMP, \"ERROR\""),
    Explanation(
      .noSuchProcedure, .warning,
      "A CALL names a procedure that is not registered.",
      cause: "A typing error, or a callee that is not up yet, or is gone.",
      remedy: "Compare the URI with that of REGISTER; mind the order in which services start.",
      source: "WAMP, \"Predefined URIs\""),
    Explanation(
      .resultUnknownCall, .error,
      "RESULT names a CALL that was never made.",
      cause: "A router that mixes sessions up.",
      remedy: "Compare the ids of both sides.",
      source: "WAMP, \"Protocol Violations\""),
    Explanation(
      .resultAfterFinal, .error, or: .note,
      "A CALL was answered again after its final answer; a note where it was canceled.",
      cause: "A callee that goes on after its last result.",
      remedy: "Report it to the authors of the router.",
      source: "WAMP, \"Progressive Call Results\""),
    Explanation(
      .yieldUnknownInvocation, .error,
      "YIELD or ERROR names an INVOCATION that there never was.",
      cause: "A callee that repeats the id of the CALL instead of that of the INVOCATION.",
      remedy: "Repeat the request of the INVOCATION.",
      source: "WAMP, \"Protocol Violations\""),
    Explanation(
      .yieldAfterFinal, .error, or: .note,
      "An INVOCATION was answered again after its final answer; a note where it was interrupted.",
      cause: "A handler that both returns and fails, or returns twice.",
      remedy: "Answer once; mark all but the last with progress.",
      source: "WAMP, \"Progressive Call Results\""),
    Explanation(
      .progressUnrequested, .error,
      "A progressive RESULT came for a CALL that did not ask for any.",
      cause: "A callee that ignores receive_progress.",
      remedy: "Send progress only where receive_progress is true.",
      source: "WAMP, \"Progressive Call Results\""),
  ]
}
