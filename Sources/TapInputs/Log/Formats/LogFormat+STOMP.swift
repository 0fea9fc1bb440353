// SPDX-License-Identifier: Apache-2.0

extension LogFormat {
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
