// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
  /// The Python library `websockets`, at DEBUG. It prints 75 characters of a message at most, and
  /// how many octets it has.
  ///
  ///     DEBUG:websockets.client:< TEXT '[33,1,5862354]' [14 bytes]
  static let websockets = LogFormat(
    name: "websockets", title: "websockets (Python)",
    rules: [
      LogRule("< TEXT '", .received, .measured),
      LogRule("> TEXT '", .sent, .measured),
      LogRule("< TEXT \"", .received, .measured),
      LogRule("> TEXT \"", .sent, .measured),
    ],
    sideWords: [("websockets.server", .router), ("websockets.client", .client)])

  /// websocket-client in Python with `enableTrace`, and its tool wsdump. The raw lines are the same
  /// messages as frames.
  ///
  ///     ++Rcv decoded: fin=1 opcode=1 data=b'[33,1,5862354]'
  static let websocketClient = LogFormat(
    name: "websocket-client", title: "websocket-client",
    rules: [
      LogRule("++Sent raw: ", .sent, .ignored),
      LogRule("++Rcv raw: ", .received, .ignored),
      LogRule("++Sent decoded: ", .sent),
      LogRule("++Rcv decoded: ", .received),
      LogRule("< text: ", .received),
      LogRule(": text: ", .received),
    ],
    side: .client)

  /// websocat 1.x with the overlay `log:`, below which messages are frames.
  ///
  ///     READ 16 "\x81\x0e[33,1,5862354]"
  static let websocat = LogFormat(
    name: "websocat", title: "websocat",
    rules: [LogRule("READ ", .received), LogRule("WRITE ", .sent)])

  /// wscat and others that show what they receive behind `<` and what is typed behind `>`.
  static let wscat = LogFormat(
    name: "wscat", title: "wscat",
    rules: [LogRule("< ", .received, isFirst: true), LogRule("> ", .sent, isFirst: true)],
    isWhole: false)
}
