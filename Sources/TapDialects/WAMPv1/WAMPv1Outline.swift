// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

extension WAMPv1Dialect {
  /// The content of a message, element by element, with the names of the specification.
  public func outline(
    _ message: Message, _ bytes: RawSpan, into rows: inout ContiguousArray<OutlineRow>
  ) {
    var array = WAMPv1Array(maximumDepth: Limits.standard.nesting)
    array.read(bytes)
    guard array.isList, let bracket = bytes.firstIndex(of: .openBracket) else {
      return PlainOutline.append(message, bytes, to: &rows)
    }
    var at = bracket + 1
    var index = 0
    while let element = JSON.next(bytes, &at, inObject: false)?.value {
      guard index < Limits.standard.outlineLines else {
        rows.append(.more(depth: 0))
        break
      }
      rows.append(Self.row(element, index, array, bytes))
      index += 1
    }
  }

  private static func row(
    _ element: JSONElement, _ index: Int, _ array: WAMPv1Array, _ bytes: RawSpan
  ) -> OutlineRow {
    var row = OutlineRow("element", .json, element.range)
    row.index = Int32(clamping: index)
    guard let type = array.type else {
      if index == 0 {
        row.title = "message type"
        row.remark = array.code == nil ? "no type code" : "unknown to the specification"
      }
      return row
    }
    if index == 0 {
      (row.title, row.meaning) = (type.name, type.meaning)
      return row
    }
    guard index < type.arity.upperBound else {
      row.remark = "one more than the specification has"
      return row
    }
    (row.title, row.meaning) = (type.title(index), type.meaning(index))
    let letter = type.letter(index)
    if letter == UInt8(ascii: "x") && element.kind == .array {
      (row.title, row.meaning) = ("exclude", "sessions that do not get it")
    }
    let mustBeText = [UInt8(ascii: "i"), UInt8(ascii: "s"), UInt8(ascii: "p"), UInt8(ascii: "u")]
    if mustBeText.contains(letter) && element.kind != .string {
      row.remark = "must be a string"
    } else if letter == UInt8(ascii: "n") && element.kind != .natural {
      row.remark = "must be an integer"
    } else if letter == UInt8(ascii: "u") {
      let name = WAMPv1Name(bytes[element.content])
      if !name.isTypical { row.remark = "neither a URI nor a CURIE" }
      if name.isCompact && type.code != 1 { row.meaning = "a CURIE: prefix:rest" }
    }
    return row
  }
}
