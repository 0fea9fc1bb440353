// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension JSONProtocol {
  /// The Chrome DevTools Protocol: JSON-RPC without its version, several sessions on a connection.
  static let devTools = JSONProtocol(
    name: "cdp", title: "Chrome DevTools Protocol", source: "Chrome DevTools Protocol",
    leads: [.member("")],
    kinds: [
      JSONKind(
        "error", called: "ERROR", .answers, isFailure: true, "A command failed: a code and words.",
        #"{"id":1,"error":{"code":-32601,"message":"'Foo.bar' wasn't found"}}"#),
      JSONKind(
        "result", called: "RESULT", .answers, "What came of a command.", #"{"id":1,"result":{}}"#),
      JSONKind(
        "method", called: "COMMAND", .asks, orElse: "EVENT",
        "The client asks; without an id, an event.",
        #"{"id":1,"method":"Page.enable","params":{}}"#),
    ],
    ids: ["id"], scope: "sessionId", subjects: ["method"], isTypicalSubject: isDomainMethod,
    payloads: ["params", "result"], reasons: ["error.message"],
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

  /// `Page.enable`.
  private static let isDomainMethod: @Sendable (RawSpan) -> Bool = { text in
    guard let dot = text.firstIndex(of: UInt8(ascii: ".")), dot > 1, dot + 1 < text.byteCount
    else { return false }
    func isLetter(_ at: Int) -> Bool { (text.byte(at: at) | 0x20) &- 0x61 < 26 }
    return text.byte(at: 0) &- 0x41 < 26 && text.byte(at: dot + 1) &- 0x61 < 26
      && (0..<text.byteCount).allSatisfy { $0 == dot || isLetter($0) }
  }
}
