// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

extension WAMPv1Dialect {
  /// The content of a message, element by element, with the names of the specification.
  public func outline(
    _ message: Message, _ bytes: RawSpan, into branches: inout ContiguousArray<Branch>
  ) {
    var array = WAMPv1Array(maximumDepth: Limits.standard.nesting)
    array.read(bytes)
    guard array.isList, let bracket = bytes.firstIndex(of: .openBracket) else {
      return PlainOutline.append(message, bytes, to: &branches)
    }
    var at = bracket + 1
    var index = 0
    while let element = JSON.next(bytes, &at, inObject: false)?.value {
      guard index < Limits.standard.outlineLines else {
        branches.append(.more(depth: 0))
        break
      }
      branches.append(Self.branch(element, index, array, bytes))
      index += 1
    }
  }

  private static func branch(
    _ element: JSONElement, _ index: Int, _ array: WAMPv1Array, _ bytes: RawSpan
  ) -> Branch {
    var branch = Branch("element", .json, element.range)
    branch.index = Int32(clamping: index)
    guard let type = array.type else {
      if index == 0 {
        branch.title = "message type"
        branch.remark = array.code == nil ? "no type code" : "unknown to the specification"
      }
      return branch
    }
    if index == 0 {
      (branch.title, branch.meaning) = (type.name, type.meaning)
      return branch
    }
    guard index < type.arity.upperBound else {
      branch.remark = "one more than the specification has"
      return branch
    }
    (branch.title, branch.meaning) = (type.title(index), type.meaning(index))
    let letter = type.letter(index)
    if letter == UInt8(ascii: "x") && element.kind == .array {
      (branch.title, branch.meaning) = ("exclude", "sessions that do not get it")
    }
    let mustBeText = [UInt8(ascii: "i"), UInt8(ascii: "s"), UInt8(ascii: "p"), UInt8(ascii: "u")]
    if mustBeText.contains(letter) && element.kind != .string {
      branch.remark = "must be a string"
    } else if letter == UInt8(ascii: "n") && element.kind != .natural {
      branch.remark = "must be an integer"
    } else if letter == UInt8(ascii: "u") {
      let name = WAMPv1Name(bytes[element.content])
      if !name.isTypical { branch.remark = "neither a URI nor a CURIE" }
      if name.isCompact && type.code != 1 { branch.meaning = "a CURIE: prefix:rest" }
    }
    return branch
  }
}
