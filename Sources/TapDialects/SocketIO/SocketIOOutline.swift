// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The content of a packet: its namespace, its ack id, and its data.
enum SocketIOOutline {
  static func append(
    _ message: Message, _ bytes: RawSpan, to rows: inout ContiguousArray<OutlineRow>
  ) {
    let whole = ByteRange(0, bytes.byteCount)
    guard message.traits.contains(.isJSON), !bytes.isEmpty,
      let namespace = JSON.value(of: "namespace", in: whole, bytes)
    else { return PlainOutline.append(message, bytes, to: &rows) }
    rows.append(OutlineRow("namespace", .json, namespace.range))
    if let query = JSON.value(of: "query", in: whole, bytes) {
      rows.append(OutlineRow("query", .json, query.range))
    }
    if message.second.role != .none {
      var ack = OutlineRow("ack id", .heading, ByteRange())
      ack.link = 2
      rows.append(ack)
    }
    guard let data = JSON.value(of: "data", in: whole, bytes) else { return }
    let name = message.name
    let isEvent = name.equals("EVENT") || name.equals("BINARY_EVENT")
    guard data.kind == .array || data.kind == .object else {
      return rows.append(OutlineRow("data", .json, data.range))
    }
    var at = data.range.start + 1
    let inside = bytes.extracting(0..<data.range.end)
    var index: Int32 = 0
    while let member = JSON.next(inside, &at, inObject: data.kind == .object) {
      guard rows.count < Limits.standard.outlineLines else {
        return rows.append(.more(depth: 0))
      }
      var row = OutlineRow("argument", .json, member.value.range)
      if data.kind == .object {
        (row.title, row.key) = ("", member.key)
      } else {
        row.index = index
        if isEvent && index == 0 { row.title = "event" }
      }
      index += 1
      rows.append(row)
    }
  }
}
