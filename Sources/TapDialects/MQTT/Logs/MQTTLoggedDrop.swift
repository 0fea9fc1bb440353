// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// A message that a broker did not send, according to its log, as the client does not take so many
/// bytes: `{"mqtt":"","dropped":"a/b","bytes":6012}`.
enum MQTTLoggedDrop {
  fileprivate static let start: StaticString = #"{"mqtt":"","dropped":"#

  static func text(_ topic: [UInt8], _ bytes: Int?) -> [UInt8] {
    var text = TextBuffer(capacity: 64)
    text.append(start)
    text.append(jsonString: topic.span.bytes)
    if let bytes { text.member("bytes", bytes) }
    text.append("}")
    return text.bytes.copied()
  }
}

extension MQTTSession {
  /// Reports a message that was not sent; false when the text is something else.
  func reportDrop(_ text: RawSpan, _ delivery: Delivery, _ listener: any Listener) -> Bool {
    let all = ByteRange(0, text.byteCount)
    guard text.starts(with: MQTTLoggedDrop.start),
      let topic = JSON.value(of: "dropped", in: all, text)
    else { return false }
    let bytes = JSON.value(of: "bytes", in: all, text).flatMap { JSON.natural(text, $0.range) }
    let size = bytes.map { ", which has \($0) bytes" } ?? ""
    let name = JSON.unescaped(text[topic.content])
    listener.finding(
      .mqttPacketTooLarge, .warning, delivery.origin,
      "the log says that the server did not send PUBLISH of “\(MQTTFault.quoted(name.span.bytes))”"
        + "\(size): it is too large for this client")
    return true
  }
}
