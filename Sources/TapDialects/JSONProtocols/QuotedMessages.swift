// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Credentials of messages of other protocols, in the messages in which a browser tells what its
/// pages do.
enum QuotedMessages {
  /// In texts, such as what a page prints.
  static func noteSecrets(_ bytes: RawSpan, _ notes: inout WorkingList<Note>) {
    for found in SecretsInText.quoted(bytes) {
      notes.append(Note(.secret, found.needsQuotes ? "value" : "credential", found.value))
    }
  }

  /// In a frame of WebSocket, `{"opcode":2,"payloadData":"…"}`: what is no text stands there in
  /// base64. As of messages that no dialect reads, nothing is shown of one that may hold some.
  static func noteSecrets(
    ofFrame frame: JSONElement, _ bytes: RawSpan, _ notes: inout WorkingList<Note>
  ) {
    guard frame.kind == .object,
      let opcode = JSON.value(of: "opcode", in: frame.range, bytes),
      let payload = JSON.value(of: "payloadData", in: frame.range, bytes), payload.kind == .string
    else { return }
    var content = Scratch()
    let isText = bytes[opcode.range].equals("1")
    if isText {
      content.append(JSON.unescaped(bytes[payload.content]).span.bytes)
    } else if Base64.decode(bytes[payload.content], into: &content) != nil {
      return
    }
    let delivery = Delivery(Origin(), isText ? .text : .binary)
    let mayHold =
      Dialects.all.contains { $0.mayHoldCredentials(content.bytes, delivery) }
      || !isText && BinaryCredentials.isAny(in: content.bytes)
    if mayHold { notes.append(Note(.secret, "credential", payload.content)) }
  }
}
