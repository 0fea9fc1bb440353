// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// How a connection ended, according to a log: `{"mqtt":"","ended":"timeout"}`.
enum MQTTLoggedEnd {
  private static let start: StaticString = #"{"mqtt":"","ended":"#

  /// The text for a reason; empty without one.
  static func text(_ reason: RawSpan) -> [UInt8] {
    if reason.isEmpty { return [] }
    var text = TextBuffer(capacity: 64)
    text.append(start)
    text.append(jsonString: reason)
    text.append("}")
    return text.bytes.copied()
  }

  /// The reason, without escapes; nil for other texts.
  static func reason(_ text: RawSpan) -> [UInt8]? {
    guard text.starts(with: start),
      let reason = JSON.value(of: "ended", in: ByteRange(0, text.byteCount), text)
    else { return nil }
    return JSON.unescaped(text[reason.content])
  }
}

extension MQTTSession {
  /// Reports the end; false when the text is something else.
  mutating func reportEnd(
    _ text: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    guard let reason = MQTTLoggedEnd.reason(text) else { return false }
    let will =
      loggedWill.isEmpty ? "" : "; the will \(MQTTFault.quoted(loggedWill.span.bytes)) is due"
    let severity: Finding.Severity = loggedWill.isEmpty ? .note : .warning
    let words = reason.span.bytes
    var finding = Finding(
      .mqttServerDisconnected, .warning, delivery.origin,
      "the log says that the server ended the connection: \(MQTTFault.quoted(words))\(will)")
    if words.equals("closed") {
      finding = Finding(
        .mqttUncleanEnd, severity, delivery.origin,
        "the log says that the client closed the connection, without DISCONNECT\(will)")
    } else if delivery.origin.direction == .unknown {
      finding = Finding(
        .mqttUncleanEnd, severity, delivery.origin,
        "the log says that the connection ended without DISCONNECT, and not by whom:"
          + " \(MQTTFault.quoted(words))\(will)")
    } else if words.equals("timeout") {
      finding = Finding(
        .mqttKeepAliveClose, .warning, delivery.origin,
        "the log says that the client was silent for too long: the server closed\(will)")
    } else if words.equals("taken over") {
      finding = Finding(
        .mqttTakenOver, .warning, delivery.origin,
        "the log says that another connection has this client identifier, and this one was closed"
          + will)
    }
    listener.finding(finding)
    return true
  }
}
