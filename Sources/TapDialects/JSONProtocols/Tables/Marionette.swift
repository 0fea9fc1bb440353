// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

extension JSONProtocol {
  /// Marionette of Firefox, which geckodriver uses: lists, each after its length and a colon.
  static let marionette = JSONProtocol(
    name: "marionette", title: "Marionette", source: "Firefox Source Docs, Marionette Protocol",
    kindAt: [.value("[0]"), .member("")],
    kinds: [
      JSONKind(
        "marionetteProtocol", called: "GREETING", .notifies, sent: .toClient,
        distinct: .byMembers(["applicationType"]),
        payload: "",
        "The browser begins.", #"{"applicationType":"gecko","marionetteProtocol":3}"#),
      JSONKind(
        "0", called: "COMMAND", .asks, sent: .toServer,
        elements: [
          JSONListElement("type", .natural), JSONListElement("message id", .natural),
          JSONListElement("command", .string), JSONListElement("parameters", .object, .null),
        ], subject: "[2]", payload: "[3]", "The client asks.",
        #"[0,1,"WebDriver:GetTitle",{}]"#),
      JSONKind(
        "1", called: "RESPONSE", .answers, sent: .toClient, fails: .ifPresent(["[2]"]),
        elements: [
          JSONListElement("type", .natural), JSONListElement("message id", .natural),
          JSONListElement("error", .object, .null), JSONListElement("result"),
        ], payload: "[3]", "The answer: an error, or a result.",
        #"[1,1,null,{"value":"New Tab"}]"#),
    ],
    ids: ["[1]"], subjects: [], distinction: .subjectLike(isCommand),
    needsDistinction: true, payloads: [],
    reasons: ["[2].message"],
    page: [
      .layout([
        #"← 50:{"applicationType":"gecko","marionetteProtocol":3}"#,
        #"→ 30:[0,1,"WebDriver:GetTitle",{}]"#, #"← 30:[1,1,null,{"value":"New Tab"}]"#,
      ]),
      .beware("The length counts bytes, not characters."),
    ])

  /// `WebDriver:GetTitle`: a module, a colon, a name.
  private static let isCommand: @Sendable (RawSpan) -> Bool = { text in
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let modules: [StaticString] = ["WebDriver", "Marionette", "Addon", "L10n", "Reftest", "GPU"]
    return modules.contains { text.extracting(0..<colon).equals($0) }
  }
}
