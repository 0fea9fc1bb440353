// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTraffic
import TapWebSocket

/// Asks the dialect or the carrier of a message for its outline.
enum Outlines {
  /// Fills in the details that the renderer wants.
  ///
  /// - Parameter bytes: the message, masked.
  static func fill(
    _ detail: inout Detail, _ wishes: Detail.Wishes, _ message: Message, _ bytes: RawSpan
  ) {
    if wishes.contains(.outline) {
      append(message, bytes, to: &detail.rows)
      if message.traits.contains(.hidesText) { excuseCuts(in: &detail.rows, bytes) }
    }
    if wishes.contains(.distribution) {
      detail.distribution = Dialects.named(message.dialect)?.distribution(of: message, bytes)
    }
  }

  /// A value of which a part was left out is not as it was sent: nothing is wrong with it.
  private static func excuseCuts(in rows: inout ContiguousArray<OutlineRow>, _ bytes: RawSpan) {
    for index in rows.indices where bytes[rows[index].range].contains("…") {
      rows[index].remark = ""
    }
  }

  private static func append(
    _ message: Message, _ bytes: RawSpan, to rows: inout ContiguousArray<OutlineRow>
  ) {
    if let dialect = Dialects.named(message.dialect) {
      return dialect.outline(message, bytes, into: &rows)
    }
    if !message.traits.isDisjoint(with: [.isControl, .bodyInNotes]) {
      return ControlOutline.append(message, bytes, to: &rows)
    }
    PlainOutline.append(message, bytes, to: &rows)
  }
}
