// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
  /// signalrcore at DEBUG prints a message up to four times. Received ones are read from the line
  /// of their arrival, sent ones from the line below "Sending message".
  ///
  ///     Sending message InvocationMessage: invocation_id 1, target Send, arguments ['hi']
  ///     {"type": 1, "target": "Send", "arguments": ["hi"], "invocationId": "1"}
  ///     Message received {"type": 3, "invocationId": "1"}
  ///     Raw message incoming:
  ///     {"type": 3, "invocationId": "1"}
  static let signalRCore = LogFormat(
    name: "signalrcore", title: "signalrcore",
    rules: [
      LogRule("[TRACE] - b", .unsaid, .ignored),
      LogRule("Evaluating handshake ", .unsaid, .ignored),
    ],
    side: .client, traits: .ofObjects,
    linesAbove: [
      LineAbove("Sending message InvocationMessage: ", .sent),
      LineAbove("Sending message <signalrcore.messages.", .sent),
      LineAbove("Raw message incoming: ", nil),
      // Up to version 0.9
      LineAbove("Raw message incomming: ", nil),
    ],
    // Its example sets no formatter: then its name is on no line.
    anchors: ["SignalRCoreClient", "InvocationMessage: ", "<signalrcore.", "Raw message incom"])

  /// The client in JavaScript at Trace with `logMessageContent`, whatever the transport.
  ///
  ///     (WebSockets transport) data received. String data of length 11. Content: '{"type":6}'.
  static let signalRJS = LogFormat(
    name: "signalr-js", title: "SignalR in JavaScript",
    rules: [
      LogRule(" transport) sending data. ", .sent),
      LogRule(" transport) data received. ", .received),
    ],
    side: .client, traits: .ofObjects, anchors: [") sending data. ", ") data received. "])
}
