// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
  /// autobahn-js: `AUTOBAHN_DEBUG` on the console of a browser, `AUTOBAHN_TRACE` in a file.
  ///
  ///     app.js:44 WebSocket transport receive [33,1,5862354]
  ///
  ///     [
  ///       "RX",
  ///       "realm1",
  ///       5424845882944853,
  ///       [33, 1, 5862354]
  ///     ]
  static let autobahnJS = LogFormat(
    name: "autobahn-js", title: "autobahn-js",
    rules: [
      LogRule("WebSocket transport send", .sent, of: "wamp"),
      LogRule("WebSocket transport receive", .received, of: "wamp"),
      LogRule("\"TX\",", .sent, at: .below, session: .beforeMessage),
      LogRule("\"RX\",", .received, at: .below, session: .beforeMessage),
    ],
    side: .client, traits: .repeating, anchors: ["WebSocket transport "])

  /// wampy.js with `debug`: what it receives, as Node prints values. Below the second level it
  /// prints `[Object]` and `[Array]` in their place.
  ///
  ///     [wampy] [ 'websocket message received: ', [ 33, 1, 5862354 ] ]
  static let wampy = LogFormat(
    name: "wampy", title: "wampy.js",
    rules: [
      LogRule("websocket message received: ", .received, at: .below, of: "wamp")
    ],
    side: .client, traits: .partial, anchors: ["[wampy] ["])

  /// autobahn-java: prints what class of message it sends and receives, and nothing of what is in
  /// it.
  ///
  ///     INFO:   >>> TX : io.crossbar.autobahn.wamp.messages.Hello@5bd3c1c3
  static let autobahnJava = LogFormat(
    name: "autobahn-java", title: "autobahn-java",
    rules: [
      LogRule(">>> TX : ", .sent, .title, at: .timedBefore),
      LogRule("<<< RX : ", .received, .title, at: .timedBefore),
    ],
    side: .client, traits: .partial, anchors: ["X : "])

  /// autobahn-cpp with debugging: the name of the type, and the elements behind its code.
  ///
  ///     TX message: hello ["realm1", {"roles":{"caller":{}}}]
  static let autobahnCPP = LogFormat(
    name: "autobahn-cpp", title: "autobahn-cpp",
    rules: [
      LogRule("TX message: ", .sent, .elements),
      LogRule("RX message: ", .received, .elements),
    ],
    side: .client, anchors: ["X message: "])
}
