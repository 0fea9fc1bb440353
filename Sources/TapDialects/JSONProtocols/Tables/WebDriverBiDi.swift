// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension JSONProtocol {
  /// WebDriver BiDi, the bidirectional protocol to automate browsers.
  static let webDriverBiDi = JSONProtocol(
    name: "bidi", title: "WebDriver BiDi", source: "W3C WebDriver BiDi",
    kindAt: [.value("type"), .member("")],
    kinds: [
      JSONKind(
        "success", called: "RESULT", .answers, sent: .toClient, "What came of a command.",
        #"{"type":"success","id":1,"result":{}}"#),
      JSONKind(
        "error", called: "ERROR", .answers, sent: .toClient, fails: .always, subject: "error",
        "A command failed: an error code and words.",
        #"{"type":"error","id":1,"error":"unknown command","message":"session.foo"}"#),
      JSONKind(
        "event", called: "EVENT", .notifies, sent: .toClient,
        "Something has happened that was subscribed to.",
        #"{"type":"event","method":"log.entryAdded","params":{"level":"info"}}"#),
      JSONKind(
        "method", called: "COMMAND", .asks, sent: .toServer, "The client asks.",
        #"{"id":1,"method":"session.new","params":{"capabilities":{}}}"#),
    ],
    ids: ["id"], subjects: ["method"], distinction: .subjectLike(isMethod),
    payloads: ["params", "result"], reasons: ["message"],
    noteSecrets: { _, bytes, notes in QuotedMessages.noteSecrets(bytes, &notes) },
    page: [
      .layout([
        #"→ {"id":1,"method":"session.subscribe","params":{"events":["log.entryAdded"]}}"#,
        #"← {"type":"success","id":1,"result":{"subscription":"…"}}"#,
        #"← {"type":"event","method":"log.entryAdded","params":{…}}"#,
      ]),
      .beware("Chromium speaks it through chromedriver; its own protocol is that of DevTools."),
    ])

  /// `browsingContext.navigate`: a method or an event. For modules with common names, only the
  /// methods and events of the specification count.
  private static let isMethod: @Sendable (RawSpan) -> Bool = { text in
    if methods.contains(where: { text.equals($0) }) { return true }
    guard let dot = text.firstIndex(of: UInt8(ascii: ".")) else { return false }
    return text.extracting(0..<dot).equals("browsingContext")
  }

  private static let methods: [StaticString] = [
    "session.new", "session.end", "session.subscribe", "session.unsubscribe",
    "browser.createUserContext", "browser.getClientWindows", "browser.getUserContexts",
    "browser.removeUserContext", "browser.setClientWindowState",
    "emulation.setGeolocationOverride", "emulation.setLocaleOverride",
    "network.addIntercept", "network.authRequired", "network.beforeRequestSent",
    "network.continueRequest", "network.continueResponse", "network.continueWithAuth",
    "network.failRequest", "network.fetchError", "network.provideResponse",
    "network.removeIntercept", "network.responseCompleted", "network.responseStarted",
    "network.setCacheBehavior", "script.addPreloadScript", "script.callFunction",
    "script.disown", "script.evaluate", "script.getRealms", "script.realmCreated",
    "script.realmDestroyed", "script.removePreloadScript", "storage.deleteCookies",
    "storage.getCookies", "storage.setCookie", "log.entryAdded", "input.performActions",
    "input.releaseActions", "input.setFiles", "webExtension.install", "webExtension.uninstall",
  ]
}
