// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
  /// What lines of Autobahn's releases begin with: `RX WAMP msg: … msg=[…]`.
  static let autobahnBeginnings: [(words: StaticString, direction: LogDirection)] = [
    ("RX WAMP ", .received), ("TX WAMP ", .sent),
  ]

  /// Autobahn|Python, at `trace`, in either of its roles, as a client and inside of Crossbar.io:
  ///
  ///     2026-11-20T23:34:50+0000
  ///     WAMP-Receive(8566527737647184, anon-1) <<
  ///       SUBSCRIBED::
  ///         [33, 1, 5862354]
  ///     <<
  ///
  /// Releases up to 21 print keywords on one line; RawSocket and the frames have lines of their
  /// own.
  static let autobahnPython = LogFormat(
    name: "autobahn-python", title: "Autobahn|Python",
    rules: [
      LogRule(
        "WAMP-Transmit(", .sent, at: [.below, .timedBefore], session: .afterMark,
        writer: .process, layer: 1, of: "wamp"),
      LogRule(
        "WAMP-Receive(", .received, at: [.below, .timedBefore], session: .afterMark,
        writer: .process, layer: 1, of: "wamp"),
      LogRule("TX WAMP message: <WAMP ", .sent, .keywords, writer: .process, layer: 1),
      LogRule("RX WAMP message: <WAMP ", .received, .keywords, writer: .process, layer: 1),
      LogRule("TX WAMP message: ", .sent, .keywords, writer: .process, layer: 1),
      LogRule("RX WAMP message: ", .received, .keywords, writer: .process, layer: 1),
      LogRule("TX WAMP message: <autobahn.", .sent, .title, writer: .process, layer: 1),
      LogRule("RX WAMP message: <autobahn.", .received, .title, writer: .process, layer: 1),
      LogRule(
        "TX WAMP message: ", .sent, at: [.below, .timedBefore], writer: .process,
        layer: 1, of: "wamp"),
      LogRule(
        "RX WAMP message: ", .received, at: [.below, .timedBefore], writer: .process,
        layer: 1, of: "wamp"),
      LogRule(
        "WAMP SEND: message=", .sent, .keywords, session: .after("session="), layer: 1),
      LogRule(
        "WAMP RECV: message=", .received, .keywords, session: .after("session="), layer: 1),
      LogRule("TX WAMP: ", .sent, layer: 1, of: "wamp"),
      LogRule("RX WAMP: ", .received, layer: 1, of: "wamp"),
      LogRule("TX Frame to ", .sent, .frame(.fields), writer: .peer, layer: 2),
      LogRule("RX Frame from ", .received, .frame(.fields), writer: .peer, layer: 2),
      LogRule("TX Octets to ", .sent, .octets, writer: .peer, layer: 3),
      LogRule("RX Octets from ", .received, .octets, writer: .peer, layer: 3),
      // Of 2015: roles are left out, and there are no times.
      LogRule("TX WAMP ", .sent, .keywords, writer: .process, layer: 4),
      LogRule("RX WAMP ", .received, .keywords, writer: .process, layer: 4),
    ],
    traits: .layered,
    anchors: [
      "WAMP-Transmit(", "WAMP-Receive(", "WAMP SEND: ", "WAMP RECV: ", "X WAMP ", "X WAMP: ",
      "X Frame ", "X Octets ",
    ])

  /// Crossbar.io's own trace of traffic, where the router speaks: `>>RX>>` comes from the client.
  ///
  ///     2026-11-20T23:34:50+0000 [Router      78603] >>RX>> SUBSCRIBE::
  ///         [32, 1, {}, 'com.example.onhello']
  ///
  /// Releases up to 20 print keywords there. Its trace records are dictionaries of Python.
  static let crossbar = LogFormat(
    name: "crossbar", title: "Crossbar.io",
    rules: [
      LogRule(">>RX>> ", .toServer, .keywords, writer: .process),
      LogRule("<<TX<< ", .toClient, .keywords, writer: .process),
      LogRule(">>RX>> ", .toServer, at: .below, writer: .process, of: "wamp"),
      LogRule("<<TX<< ", .toClient, at: .below, writer: .process, of: "wamp"),
      LogRule("'direction': 'rx'", .toServer, session: .after("'session_id': ")),
      LogRule("'direction': 'tx'", .toClient, session: .after("'session_id': ")),
    ],
    side: .server, anchors: ["X>> ", "X<< "])
}
