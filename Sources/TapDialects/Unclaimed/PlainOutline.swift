// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// The outline of a message that is not parsed: one JSON value, one text, or bytes.
public enum PlainOutline {
  public static func append(
    _ message: Message, _ bytes: RawSpan, to rows: inout ContiguousArray<OutlineRow>
  ) {
    var row = OutlineRow("payload", .octets, ByteRange(0, bytes.byteCount))
    if bytes.byteCount == 0 {
      (row.kind, row.meaning) = (.heading, "nothing")
    } else if message.traits.contains(.isText) {
      var scanner = JSONScanner(maximumDepth: Limits.standard.nesting)
      let end = scanner.scan(bytes)
      row.kind = end == bytes.byteCount && scanner.isStrict ? .json : .text
      if row.kind == .json { row.meaning = "JSON" }
    }
    rows.append(row)
  }
}

extension Dialect {
  /// The default for dialects without an outline of their own.
  public static func outline(
    _ message: Message, _ bytes: RawSpan, into rows: inout ContiguousArray<OutlineRow>
  ) {
    PlainOutline.append(message, bytes, to: &rows)
  }
}
