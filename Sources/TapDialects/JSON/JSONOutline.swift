// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// The content of a message that is one JSON text: the members of an object by key, the elements of
/// a list by index.
enum JSONOutline {
  /// - Parameters:
  ///   - meanings: the meaning of members, by key.
  ///   - elements: the names of a list's elements.
  static func append(
    _ message: Message, _ bytes: RawSpan, _ meanings: [(StaticString, StaticString)] = [],
    elements: [JSONListElement] = [], to branches: inout ContiguousArray<Branch>
  ) {
    let start = (0..<bytes.byteCount).first { bytes.byte(at: $0) > 0x20 }
    guard message.traits.contains(.isJSON), let start else {
      return PlainOutline.append(message, bytes, to: &branches)
    }
    let isObject = bytes.byte(at: start) == UInt8(ascii: "{")
    guard isObject || bytes.byte(at: start) == UInt8(ascii: "[") else {
      return PlainOutline.append(message, bytes, to: &branches)
    }
    var (at, index) = (start + 1, 0)
    while let member = JSON.next(bytes, &at, inObject: isObject) {
      guard index < Limits.standard.outlineLines else { return branches.append(.more(depth: 0)) }
      var branch = Branch("", .json, member.value.range)
      if isObject {
        branch.key = member.key
        let key = bytes[member.key]
        branch.meaning = meanings.first { key.equals($0.0) }?.1 ?? ""
      } else {
        branch.index = Int32(index)
        branch.title = index < elements.count ? elements[index].title : "element"
      }
      branches.append(branch)
      index += 1
    }
  }
}

extension JSONDialect {
  /// The members of the object.
  public func outline(
    _ message: Message, _ bytes: RawSpan, into branches: inout ContiguousArray<Branch>
  ) {
    JSONOutline.append(message, bytes, to: &branches)
  }
}

extension JSONRPCDialect {
  /// The members of the object, and their meaning in the specification.
  public func outline(
    _ message: Message, _ bytes: RawSpan, into branches: inout ContiguousArray<Branch>
  ) {
    JSONOutline.append(
      message, bytes,
      [
        ("jsonrpc", "version of the protocol"), ("id", "finds the answer of a request"),
        ("method", "what the other side is to run"), ("params", "with what"),
        ("result", "what came of it"), ("error", "why it failed"),
      ], to: &branches)
  }
}
