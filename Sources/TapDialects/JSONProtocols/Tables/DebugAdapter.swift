// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension JSONProtocol {
  /// The Debug Adapter Protocol, with `Content-Length` headers. Each message has its own number; an
  /// answer also has that of its request.
  static let debugAdapter = JSONProtocol(
    name: "dap", title: "Debug Adapter Protocol", source: "Debug Adapter Protocol specification",
    kindAt: [.value("type")],
    kinds: [
      JSONKind(
        "request", called: "REQUEST", .asks,
        "Either side asks: mostly the editor.",
        #"{"seq":7,"type":"request","command":"stackTrace","arguments":{"threadId":1}}"#),
      JSONKind(
        "response", called: "RESPONSE", .answers, distinct: .byMembers(["request_seq", "command"]),
        fails: .ifFalse("success"), "The answer to a request; `success` says whether it failed.",
        #"{"seq":9,"type":"response","request_seq":7,"success":true,"command":"stackTrace"}"#),
      JSONKind(
        "event", called: "EVENT", .notifies, sent: .toClient, id: "event",
        "Something has happened.",
        #"{"seq":8,"type":"event","event":"stopped","body":{"reason":"breakpoint"}}"#),
    ],
    askers: .both, ids: ["seq"], answers: ["request_seq"], subjects: ["command", "event"],
    distinction: .subjectLike(isName),
    payloads: ["arguments", "body"], reasons: ["body.error.format", "message"],
    secrets: ["arguments.debugServerAccessToken", "body.clientAccessToken"],
    page: [
      .layout([
        #"→ {"seq":7,"type":"request","command":"stackTrace","arguments":{…}}"#,
        #"← {"seq":9,"type":"response","request_seq":7,"success":true,"command":"stackTrace",…}"#,
        #"← {"seq":8,"type":"event","event":"stopped","body":{…}}"#,
      ]),
      .beware(
        """
        The adapter asks as well: runInTerminal, startDebugging. launch and attach are answered \
        only after configurationDone.
        """),
    ])

  /// Commands that begin a conversation, and events that hardly any other protocol has.
  private static let isName: @Sendable (RawSpan) -> Bool = { text in
    let names: [StaticString] = [
      "initialize", "initialized", "launch", "attach", "configurationDone", "setBreakpoints",
      "setExceptionBreakpoints", "setFunctionBreakpoints", "stackTrace", "scopes", "variables",
      "evaluate", "threads", "stepIn", "stepOut", "continued", "stopped", "exited", "terminated",
      "breakpoint", "loadedSource", "runInTerminal", "startDebugging", "debugpyAttach",
      "debugpySockets", "debugpyWaitingForServer", "pydevdAuthorize", "pydevdSystemInfo",
    ]
    return names.contains { text.equals($0) }
  }
}
