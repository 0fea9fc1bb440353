// SPDX-License-Identifier: Apache-2.0

/// Clients of services whose messages are JSON.
extension LogFormat {
  /// centrifuge-python at DEBUG, whose websockets print what it sends, too. What it receives it
  /// prints four times and more; each reply is a message. The name of its logger is part of the
  /// marks, as other programs have these words, too.
  ///
  ///     data received {"id": 2, "subscribe": {}}
  ///     start processing message: {"id": 2, "subscribe": {}}
  ///     got reply {'id': 2, 'subscribe': {}}
  static let centrifuge = LogFormat(
    name: "centrifuge-python", title: "centrifuge-python",
    rules: [
      LogRule("centrifuge got reply ", .received),
      LogRule("centrifuge:got reply ", .received),
      LogRule("centrifuge data received ", .received, .ignored),
      LogRule("centrifuge:data received ", .received, .ignored),
      LogRule("centrifuge start processing message: ", .received, .ignored),
      LogRule("centrifuge:start processing message: ", .received, .ignored),
      LogRule("centrifuge start parsing message: ", .received, .ignored),
      LogRule("centrifuge:start parsing message: ", .received, .ignored),
      LogRule("centrifuge received push reply ", .received, .ignored),
      LogRule("centrifuge:received push reply ", .received, .ignored),
    ],
    side: .client, kin: "websockets", prints: "websockets")
}
