// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The content of an OPEN, key by key; of other packets their text.
enum EngineIOOutline {
  static func append(
    _ message: Message, _ bytes: RawSpan, to rows: inout ContiguousArray<OutlineRow>
  ) {
    guard message.name.equals("OPEN"), message.traits.contains(.isJSON) else {
      return PlainOutline.append(message, bytes, to: &rows)
    }
    var at = 1
    while let member = JSON.next(bytes, &at, inObject: true) {
      guard rows.count < Limits.standard.outlineLines else {
        return rows.append(.more(depth: 0))
      }
      var row = OutlineRow("", .json, member.value.range)
      row.key = member.key
      row.meaning = meaning(bytes[member.key])
      rows.append(row)
    }
  }

  private static func meaning(_ key: RawSpan) -> StaticString {
    if key.equals("sid") { return "the session: who has it can read and write" }
    if key.equals("upgrades") { return "transports that the session may change to" }
    if key.equals("pingInterval") { return "milliseconds from one ping to the next" }
    if key.equals("pingTimeout") { return "milliseconds that an answer may take" }
    if key.equals("maxPayload") { return "bytes that the server takes at once" }
    return ""
  }
}
