// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
  /// nexus, a router in Go, at debug: fields of what clients send, strings without quotes, and of
  /// what they get the type alone.
  ///
  ///     2026/11/20 23:34:50 Session 8566527737647184 submitting SUBSCRIBE: &{Request:1 …}
  static let nexus = LogFormat(
    name: "nexus", title: "nexus",
    rules: [
      LogRule(" submitting ", .toServer, .structure, session: .after("Session ")),
      LogRule(" received ", .toClient, .title, session: .after("Client ")),
      LogRule("!!! Dropped ", .unsaid, .loss),
      // Its client, and applications that print what they have.
      LogRule(": &{", .unsaid, .bareStructure),
    ],
    side: .server, traits: .partial, anchors: ["&{", "Client ", "!!! Dropped "])

  /// turnpike, a router in Go: the sessions of what clients send stand in brackets.
  ///
  ///     2015/06/01 15:04:05 realm.go:110: [5718276356293104] SUBSCRIBE: &{Request:5012183 …}
  static let turnpike = LogFormat(
    name: "turnpike", title: "turnpike",
    rules: [
      LogRule("Handling realm ", .toServer, .structure, session: .afterMark),
      LogRule(": &{", .toServer, .bareStructure, session: .bracketed),
    ],
    side: .server, traits: .partial)

  /// Thruway, in PHP: its client prints `Received: `, its router `onMessage: (…)`. Neither prints
  /// what it sends.
  static let thruway = LogFormat(
    name: "thruway", title: "Thruway",
    rules: [
      LogRule("debug      onMessage: (", .toServer),
      LogRule("debug      Received: ", .toClient),
    ],
    traits: .partial)

  /// WampSharp, in .NET, at DEBUG.
  static let wampSharp = LogFormat(
    name: "wampsharp", title: "WampSharp",
    rules: [
      LogRule("Trying to parse message ", .received),
      LogRule("Formatted message ", .sent),
      LogRule("Trying to parse binary message: ", .received, .frame(.octets)),
    ],
    anchors: ["WampSharp"])
}
