// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

extension JSONProtocol {
  /// QMP of QEMU and of its guest agent: a sequence of objects over TCP, answered in order.
  static let qmp = JSONProtocol(
    name: "qmp", title: "QEMU Machine Protocol", source: "QEMU docs/interop/qmp-spec",
    kindAt: [.member("")],
    kinds: [
      JSONKind(
        "QMP", called: "GREETING", .notifies, sent: .toClient,
        distinct: .byMembers(["QMP.version"]),
        "The server begins: its version, and what it can.",
        #"{"QMP":{"version":{"qemu":{"micro":0,"minor":2,"major":7}},"capabilities":["oob"]}}"#),
      JSONKind(
        "error", called: "ERROR", .answers, sent: .toClient, fails: .always,
        "A command failed: a class and words. Without an id, what was sent may have been no JSON.",
        #"{"error":{"class":"CommandNotFound","desc":"The command x has not been found"}}"#),
      JSONKind(
        "return", called: "RETURN", .answers, sent: .toClient, "What came of a command.",
        #"{"return":{}}"#),
      JSONKind(
        "event", called: "EVENT", .notifies, sent: .toClient,
        distinct: .byMembers(["timestamp.seconds", "timestamp.microseconds"]),
        "Something has happened.",
        #"{"timestamp":{"seconds":1,"microseconds":2},"event":"STOP"}"#),
      JSONKind(
        "execute", called: "EXECUTE", .asks, sent: .toServer, "The client asks for a command.",
        #"{"execute":"query-status","id":"a1"}"#),
      JSONKind(
        "exec-oob", called: "EXEC-OOB", .asks, sent: .toServer, distinct: .byMembers(["id"]),
        "The client asks for a command ahead of those that wait.",
        #"{"exec-oob":"migrate-pause","id":"a2"}"#),
    ],
    ids: ["id"], orderBegins: "QMP", subjects: ["execute", "exec-oob", "event"],
    distinction: .subjectLike(isCommand),
    payloads: ["arguments", "return", "data", "QMP"], reasons: ["error.desc"],
    secrets: ["arguments.password", "arguments.data"],
    page: [
      .layout([
        #"← {"QMP":{"version":{…},"capabilities":["oob"]}}"#,
        #"→ {"execute":"qmp_capabilities"}"#, #"← {"return":{}}"#,
        #"→ {"execute":"query-status","id":1}"#, #"← {"return":{"status":"running"},"id":1}"#,
        #"← {"timestamp":{"seconds":1,"microseconds":2},"event":"STOP"}"#,
      ]),
      .beware(
        """
        The id may be left out: such commands are answered in the order in which they were sent. \
        The server takes other commands only after qmp_capabilities.
        """),
    ])

  /// `query-status`: a command with a prefix that hardly anything else has.
  private static let isCommand: @Sendable (RawSpan) -> Bool = { text in
    let families: [StaticString] = [
      "query-", "qom-", "guest-", "blockdev-", "block-", "chardev-", "device_", "netdev_",
      "object-", "migrate", "qmp_capabilities", "human-monitor-command",
    ]
    return families.contains { text.starts(with: $0) }
  }
}
