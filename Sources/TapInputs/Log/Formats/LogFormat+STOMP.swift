// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
  /// What stomp.js of version 2 gives to its `debug`: frames as they are sent, over several lines
  /// and with NUL at their end.
  ///
  ///     >>> SEND
  ///     destination:/topic/chat
  ///
  ///     hello^@
  static let stompJS = LogFormat(
    name: "stomp.js", title: "stomp.js",
    rules: [
      LogRule(">>> ", .sent, .frameLines, of: "stomp"),
      LogRule("<<< ", .received, .frameLines, of: "stomp"),
    ],
    side: .client, anchors: [">>> ", "<<< "])

  /// stomp.py at DEBUG: what it sends byte by byte, what it receives by its parts.
  ///
  ///     sending frame: [b'SEND', b'\n', b'destination:/queue/a\n', b'\n', b'hello', b'\x00']
  ///     received frame: 'RECEIPT', headers={'receipt-id': 'r-1'}, body=''
  static let stompPy = LogFormat(
    name: "stomp.py", title: "stomp.py",
    rules: [
      LogRule("sending frame: [", .sent, .pieces, of: "stomp"),
      LogRule("received frame: '", .received, .frameParts, of: "stomp"),
    ],
    side: .client, anchors: ["sending frame: [b'", "received frame: '"])
}
