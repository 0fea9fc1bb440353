// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

extension JSONProtocol {
  /// The Chrome DevTools Protocol: JSON-RPC without its version, several sessions on a connection.
  static let devTools = JSONProtocol(
    name: "cdp", title: "Chrome DevTools Protocol", source: "Chrome DevTools Protocol",
    kindAt: [.member("")],
    kinds: [
      JSONKind(
        "error", called: "ERROR", .answers, sent: .toClient, fails: .always,
        "A command failed: a code and words.",
        #"{"id":1,"error":{"code":-32601,"message":"'Foo.bar' wasn't found"}}"#),
      JSONKind(
        "result", called: "RESULT", .answers, sent: .toClient, "What came of a command.",
        #"{"id":1,"result":{}}"#),
      JSONKind(
        "method", called: "COMMAND", .asks, "The client asks; without an id, an event.",
        #"{"id":1,"method":"Page.enable","params":{}}"#
      ).with(nameWithoutID: "EVENT"),
    ],
    ids: ["id"], scope: "sessionId", unscoped: ("error.code", "-32001"), subjects: ["method"],
    distinction: .subjectLike(isMethod),
    payloads: ["params", "result"], reasons: ["error.message"],
    secretsAbout: (["Network.setCookie", "Network.deleteCookies"], ["params.value"]),
    noteSecrets: noteQuoted,
    narratedLog: { ChromeDriverLog(limits: $0) },
    page: [
      .layout([
        #"→ {"id":1,"method":"Page.enable","params":{},"sessionId":"8F"}"#,
        #"← {"id":1,"result":{},"sessionId":"8F"}"#,
        #"← {"method":"Network.loadingFinished","params":{}}"#,
      ]),
      .beware(
        """
        Ids begin anew in every session. The error -32001, session not found, comes without the \
        sessionId of its command.
        """),
    ])

  private static func noteQuoted(
    _ message: JSONElement, _ bytes: RawSpan, _ notes: inout WorkingList<Note>
  ) {
    QuotedMessages.noteSecrets(bytes, &notes)
    // `Network.webSocketFrameSent`, `Network.webSocketFrameReceived`.
    guard bytes.contains(".webSocketFrame"), let frame = frame.value(in: message, bytes) else {
      return
    }
    QuotedMessages.noteSecrets(ofFrame: frame, bytes, &notes)
  }

  private static let frame = JSONPath("params.response")

  /// `Page.enable`: a method or an event of one of its domains.
  private static let isMethod: @Sendable (RawSpan) -> Bool = { text in
    guard let dot = text.firstIndex(of: UInt8(ascii: ".")) else { return false }
    return domains.contains { text.extracting(0..<dot).equals($0) }
  }

  /// The domains of Chromium and Node.js.
  private static let domains: [StaticString] = [
    "Accessibility", "Animation", "Audits", "Autofill", "BackgroundService", "Browser", "CSS",
    "CacheStorage", "Cast", "Console", "DOM", "DOMDebugger", "DOMSnapshot", "DOMStorage",
    "Debugger",
    "DeviceAccess", "DeviceOrientation", "Emulation", "EventBreakpoints", "Extensions", "FedCm",
    "Fetch", "HeadlessExperimental", "HeapProfiler", "IO", "IndexedDB", "Input", "Inspector",
    "LayerTree", "Log", "Media", "Memory", "Network", "NodeRuntime", "NodeTracing", "NodeWorker",
    "Overlay", "PWA", "Page", "Performance", "PerformanceTimeline", "Preload", "Profiler",
    "Runtime",
    "Schema", "Security", "ServiceWorker", "Storage", "SystemInfo", "Target", "Tethering",
    "Tracing",
    "WebAudio", "WebAuthn",
  ]
}
