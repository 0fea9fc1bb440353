// SPDX-License-Identifier: Apache-2.0
import TapTraffic

enum WAMPCallMessageTopics {
  private static let calling = "WAMP, \"Calling and Invocations\""
  private static let registering = "WAMP, \"Registering and Unregistering\""
  private static let canceling = "WAMP, \"Call Canceling\""

  /// The messages of remote procedure calls.
  static let all: [Topic] = [
    WAMPGuide.message(
      48, "The caller calls a procedure.",
      [
        .sender("caller → dealer"),
        .answered("RESULT or ERROR; before it any number of RESULTs with Details.progress"),
        .causes("With an id that is open already: the next part of a progressive call."),
        .beware(
          """
          The id is the caller's own, and is another than that of the INVOCATION. Without \
          Options.timeout, a call may stay open for as long as the callee likes.
          """), .example([#"[48,7,{"timeout":1000},"com.user.get",[123]]"#]),
      ], source: calling),
    WAMPGuide.message(
      49, "The caller wants a call to be given up.",
      [
        .sender("caller → dealer"),
        .answered("the RESULT or ERROR of the CALL; it has no answer of its own"),
        .beware(
          """
          Options.mode: skip answers at once and lets the callee go on, kill interrupts it and \
          waits for its answer, killnowait interrupts it and answers at once. Without it, routers \
          differ. A CANCEL that comes too late is ignored.
          """), .example([#"[48,7,{},"com.report.make"]"#, #"[49,7,{"mode":"kill"}]"#]),
      ], source: canceling),
    WAMPGuide.message(
      50, "The result of a call, or with Details.progress a part of it.",
      [
        .sender("dealer → caller"), .answers("CALL"), .answered("nothing"),
        .beware(
          """
          It does not name the procedure: that is known only from the CALL with the same id. \
          Exactly one without Details.progress ends the call.
          """), .example([#"[48,7,{},"com.user.get",[123]]"#, #"[50,7,{},[{"karma":10}]]"#]),
      ], source: calling),
    WAMPGuide.message(
      64, "The callee offers a procedure, or a pattern of procedures.",
      [
        .sender("callee → dealer"), .answered("REGISTERED or ERROR"),
        .beware(
          """
          A procedure has one callee, unless all of them register it with the same Options.invoke. \
          URIs that begin with wamp. are the router's.
          """), .example([#"[64,2,{"invoke":"roundrobin"},"com.user.get"]"#]),
      ], source: registering),
    WAMPGuide.message(
      65, "The dealer confirms a registration and gives it the id that INVOCATIONs will carry.",
      [
        .sender("dealer → callee"), .answers("REGISTER"), .answered("nothing; INVOCATIONs follow"),
        .beware("All callees of a shared registration get the same id."),
        .example([#"[64,2,{},"com.user.get"]"#, "[65,2,71]"]),
      ], source: registering),
    WAMPGuide.message(
      66, "The callee takes a procedure back.",
      [
        .sender("callee → dealer"), .answered("UNREGISTERED or ERROR"),
        .beware(
          """
          INVOCATIONs may still arrive until UNREGISTERED does, and those that run may be \
          finished. The form with Options is of Autobahn alone.
          """), .example(["[66,3,71]"]),
      ], source: registering),
    WAMPGuide.message(
      67, "The dealer confirms the end of a registration; with request 0, it has revoked one.",
      [
        .sender("dealer → callee"), .answers("UNREGISTER, or nothing when it revokes"),
        .answered("nothing"),
        .causes("With request 0: an administrator, a policy, or a callee with force_reregister."),
        .beware("A callee that did not announce registration_revocation is not notified."),
        .example([
          "[66,3,71]", "[67,3]", #"[67,0,{"registration":71,"reason":"wamp.error.unregistered"}]"#,
        ]),
      ], source: "WAMP, \"Registering and Unregistering\" and \"Registration Revocation\""),
    WAMPGuide.message(
      68, "The dealer asks the callee to run a procedure.",
      [
        .sender("dealer → callee"),
        .answered("YIELD or ERROR; before it any number of YIELDs with Options.progress"),
        .causes("A caller called the procedure. The request id is the router's, not the caller's."),
        .beware(
          """
          The procedure is known only from the registration, or from Details.procedure for a \
          pattern. Details.caller names the caller only if it was disclosed.
          """), .example([#"[64,2,{},"com.user.get"]"#, "[65,2,71]", "[68,26,71,{},[123]]"]),
      ], source: calling),
    WAMPGuide.message(
      69, "The dealer wants an invocation to be given up.",
      [
        .sender("dealer → callee"),
        .answered(
          """
          the YIELD or ERROR of the INVOCATION; after the mode killnowait, maybe nothing. It has \
          no answer of its own
          """), .causes("A CANCEL of the caller, a timeout, or a caller that has gone."),
        .beware("It may come for an invocation that is finished: then it is to be ignored."),
        .example([#"[69,26,{"mode":"kill"}]"#]),
      ], source: canceling),
    WAMPGuide.message(
      70, "The callee answers an invocation, or with Options.progress gives a part of the answer.",
      [
        .sender("callee → dealer"), .answers("INVOCATION"), .answered("nothing"),
        .beware(
          """
          Its second element is the dictionary, as in RESULT. For an invocation that the dealer \
          knows nothing of, it is a protocol error.
          """),
        .example([
          #"[64,2,{},"com.user.get"]"#, "[65,2,71]", "[68,26,71,{},[123]]",
          #"[70,26,{},[{"karma":10}]]"#,
        ]),
      ], source: calling),
  ]
}
