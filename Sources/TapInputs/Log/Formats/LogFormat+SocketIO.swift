// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
  /// python-engineio with `engineio_logger`, server and client, below python-socketio. It prints
  /// types as words, and of bytes that there were some.
  ///
  ///     FpoB8_KfMxVyonAqAAAA: Sending packet MESSAGE data 2["chat",{"text":"hi"}]
  static let pythonEngineIO = LogFormat(
    name: "python-engineio", title: "python-engineio",
    rules: [
      LogRule(
        "Sending packet ", .sent, .packet(packets), writer: .secret(length: 20), of: "engineio"),
      LogRule(
        "Received packet ", .received, .packet(packets), writer: .secret(length: 20),
        of: "engineio"),
      LogRule(
        " connection accepted with ", .received, .packet([LogRule.PacketHead("", "0")]),
        writer: .secret(length: 20)),
    ],
    isWhole: false,
    anchors: [
      "packet OPEN data ", "packet CLOSE data ", "packet PING data ", "packet PONG data ",
      "packet MESSAGE data ", "packet UPGRADE data ", "packet NOOP data ", "accepted with {",
    ])

  private static let packets: [LogRule.PacketHead] = [
    LogRule.PacketHead("OPEN data ", "0"),
    LogRule.PacketHead("CLOSE data ", "1"),
    LogRule.PacketHead("PING data ", "2"),
    LogRule.PacketHead("PONG data ", "3"),
    LogRule.PacketHead("MESSAGE data <binary>", nil),
    LogRule.PacketHead("MESSAGE data ", "4"),
    LogRule.PacketHead("UPGRADE data ", "5"),
    LogRule.PacketHead("NOOP data ", "6"),
  ]
}
