// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The content of a message that is one JSON text: the members of an object by key, the elements of
/// a list by index.
enum JSONOutline {
  /// - Parameters:
  ///   - meanings: the meaning of members, by key.
  ///   - elements: the names of a list's elements.
  static func append(
    _ message: Message, _ bytes: RawSpan, _ meanings: [(StaticString, StaticString)] = [],
    elements: [JSONListElement] = [], to rows: inout ContiguousArray<OutlineRow>
  ) {
    let start = (0..<bytes.byteCount).first { bytes.byte(at: $0) > 0x20 }
    guard message.traits.contains(.isJSON), let start else {
      return PlainOutline.append(message, bytes, to: &rows)
    }
    let isObject = bytes.byte(at: start) == UInt8(ascii: "{")
    guard isObject || bytes.byte(at: start) == UInt8(ascii: "[") else {
      return PlainOutline.append(message, bytes, to: &rows)
    }
    var (at, index) = (start + 1, 0)
    while let member = JSON.next(bytes, &at, inObject: isObject) {
      guard index < Limits.standard.outlineLines else { return rows.append(.more(depth: 0)) }
      var row = OutlineRow("", .json, member.value.range)
      if isObject {
        row.key = member.key
        let key = bytes[member.key]
        row.meaning = meanings.first { key.equals($0.0) }?.1 ?? ""
      } else {
        row.index = Int32(index)
        row.title = index < elements.count ? elements[index].title : "element"
      }
      rows.append(row)
      index += 1
    }
  }
}
