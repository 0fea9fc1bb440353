// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// The outline of control frames that are reported as messages: CLOSE, PING, PONG.
public enum ControlOutline {
  public static func append(
    _ message: Message, _ bytes: RawSpan, to rows: inout ContiguousArray<OutlineRow>
  ) {
    guard message.traits.contains(.bodyInNotes) else {
      return payload(bytes, to: &rows)
    }
    var code = OutlineRow("code", .heading, ByteRange())
    if message.first.role == .none {
      code.meaning = "none was sent"
    } else {
      code.link = 1
      code.meaning = message.about
      let value = UInt16(truncatingIfNeeded: message.first.key)
      if !CloseCode.maySend(value) { code.remark = "must not be sent" }
    }
    rows.append(code)
    if !message.reason.isEmpty {
      var reason = OutlineRow("reason", .text, message.reason)
      reason.meaning = "in the words of the sender"
      rows.append(reason)
    }
  }

  private static func payload(_ bytes: RawSpan, to rows: inout ContiguousArray<OutlineRow>) {
    var row = OutlineRow("payload", .heading, ByteRange(0, bytes.byteCount))
    row.meaning = "nothing"
    if bytes.byteCount > 0 {
      var isPrintable = UTF8.firstInvalid(in: bytes) == nil
      for at in 0..<bytes.byteCount where bytes.byte(at: at) < 0x20 { isPrintable = false }
      row.kind = isPrintable ? .text : .octets
      row.meaning = "a PONG repeats that of its PING"
    }
    rows.append(row)
  }
}
