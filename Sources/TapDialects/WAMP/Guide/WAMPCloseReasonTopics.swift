// SPDX-License-Identifier: Apache-2.0
import TapTraffic

enum WAMPCloseReasonTopics {
  static let all: [Topic] = [
    reason(
      "system_shutdown", "The peer shuts down.", "GOODBYE or ABORT",
      "A router or a client that is restarted.", aliases: ["wamp.error.system_shutdown"]),
    reason(
      "close_realm", "The peer leaves the realm.", "the GOODBYE that comes first",
      "A client that is done; the other side confirms with goodbye_and_out.",
      aliases: ["wamp.error.close_realm"]),
    reason(
      "goodbye_and_out", "The peer confirms that the session is closed.",
      "the GOODBYE that answers", "The GOODBYE of the other side.",
      aliases: ["wamp.error.goodbye_and_out"]),
    reason(
      "killed", "The router ended the session.", "GOODBYE of the router",
      "A client called wamp.session.kill or a similar procedure."),
    reason(
      "normal", "The session is closed without any particular reason.",
      "GOODBYE, both the first and the answer", "The default of Autobahn.",
      source: "examples of the specification, but not its list"),
    reason(
      "logout", "The user has logged out.", "GOODBYE", "An application that ends the login.",
      source: "examples of the specification; Crossbar"),
  ]

  private static func reason(
    _ name: String, _ summary: String, _ context: String, _ cause: String, aliases: [String] = [],
    source: String = "WAMP, \"Session Closing\""
  ) -> Topic {
    Topic(
      Topic.Group("WAMP close reasons", "WAMP close reason"), "wamp.close." + name, summary,
      aliases: aliases,
      [
        Topic.Part("Stands in", .prose(context)), .causes(cause),
        .example([#"[6,{},"wamp.close.\#(name)"]"#]),
      ], source: source)
  }
}
