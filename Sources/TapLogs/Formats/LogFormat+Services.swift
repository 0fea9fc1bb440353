// SPDX-License-Identifier: Apache-2.0

/// Clients of services whose messages are JSON.
extension LogFormat {
  /// centrifuge-python at DEBUG, whose websockets print what it sends, too. What it receives it
  /// prints four times and more; each reply is a message.
  ///
  ///     data received {"id": 2, "subscribe": {}}
  ///     start processing message: {"id": 2, "subscribe": {}}
  ///     got reply {'id': 2, 'subscribe': {}}
  static let centrifuge = LogFormat(
    name: "centrifuge-python", title: "centrifuge-python",
    rules: [
      LogRule("got reply ", .received),
      LogRule("centrifuge data received ", .received, .ignored),
      LogRule("centrifuge:data received ", .received, .ignored),
      LogRule("start processing message: ", .received, .ignored),
      LogRule("start parsing message: ", .received, .ignored),
      LogRule("received push reply ", .received, .ignored),
    ],
    side: .client, kin: "websockets", prints: "websockets")
}
