// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Explained in ``WAMPCallFindings``.
extension Finding.Code {
  static let continuationLate: Self = "wamp.call-continuation-late"
  static let continuationNonprogressive: Self = "wamp.call-continuation-nonprogressive"
  static let continuationProcedureChanged: Self = "wamp.call-continuation-procedure-changed"
  static let continuationOptions: Self = "wamp.call-continuation-options"
  static let yieldProgressUnrequested: Self = "wamp.yield-progress-unrequested"
  static let callSlow: Self = "wamp.call-slow"
  static let invocationMissingProcedure: Self = "wamp.invocation-missing-procedure"
  static let registerConflict: Self = "wamp.register-conflict"
  static let invokeMismatch: Self = "wamp.invoke-mismatch"
}

/// Explanations of findings about calls in parts, and shared procedures.
enum WAMPCallFindings {
  static let all: [Explanation] = [
    Explanation(
      .continuationLate, .note,
      "One more part of a call came after the call had its answer.",
      cause: "A caller that had not seen the answer yet.",
      remedy: "Harmless: it is discarded by design.",
      source: "WAMP, \"Progressive Call Invocations\""),
    Explanation(
      .continuationNonprogressive, .error,
      "One more part of a call came, whose first part did not say that more follow.",
      cause: "The first CALL lacks progress: true, or the id was used again.",
      remedy: "Set progress: true on every part but the last.",
      source: "WAMP, \"Progressive Call Invocations\""),
    Explanation(
      .continuationProcedureChanged, .error,
      "A part of a call names another procedure than the first part.",
      cause: "A request id that was used again while the call was open.",
      remedy: "All parts of a call name the same procedure.",
      source: "WAMP, \"Progressive Call Invocations\""),
    Explanation(
      .continuationOptions, .note,
      "A part of a call repeats options that count only on the first part.",
      cause: "A client that sends all options with each part.",
      remedy: "They are ignored; leave them out.",
      source: "WAMP, \"Progressive Call Invocations\""),
    Explanation(
      .yieldProgressUnrequested, .error,
      "A callee sends a progressive YIELD that INVOCATION did not ask for.",
      cause: "A callee that does not look at receive_progress.",
      remedy: "Send progressive results only where Details.receive_progress is true.",
      source: "WAMP, \"Progressive Call Results\""),
    Explanation(
      .callSlow, .note,
      "A call took longer than five seconds.",
      cause: "A procedure that works long, or a callee that is busy.",
      remedy: "Compare it with INVOCATION and YIELD of the callee: wamptap flow."),
    Explanation(
      .invocationMissingProcedure, .error,
      "INVOCATION of a pattern does not say which procedure was called.",
      cause: "A router that fills in Details.procedure for exact registrations only, or never.",
      remedy: "The callee cannot know what to do. Report it to the authors of the router.",
      source: "WAMP, \"Pattern-based Registrations\""),
    Explanation(
      .registerConflict, .warning,
      "REGISTER was refused: another callee has the procedure.",
      cause: "Two instances of a callee, or the stale session of one that has connected again.",
      remedy: "Use a shared registration, or wait until the router has noticed the lost session.",
      source: "WAMP, \"Remote Procedure Calls\""),
    Explanation(
      .invokeMismatch, .warning,
      "Two sessions register the same procedure with different invoke.",
      cause: "Instances of different versions.",
      remedy: "The router refuses the later one: use the same invoke everywhere.",
      source: "WAMP, \"Shared Registration\""),
  ]
}
