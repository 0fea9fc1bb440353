// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// The members of a message that is one JSON object, each by its key.
enum JSONOutline {
  /// - Parameter meanings: what members mean, by their keys.
  static func append(
    _ message: Message, _ bytes: RawSpan, _ meanings: [(StaticString, StaticString)] = [],
    to branches: inout ContiguousArray<Branch>
  ) {
    guard message.traits.contains(.isJSON), let brace = bytes.firstIndex(of: UInt8(ascii: "{"))
    else { return PlainOutline.append(message, bytes, to: &branches) }
    var at = brace + 1
    while let member = JSON.next(bytes, &at, inObject: true) {
      guard branches.count < Limits().branches else { return branches.append(.more(depth: 0)) }
      var branch = Branch("", .json, member.value.range)
      branch.key = member.key
      let key = bytes[member.key]
      branch.meaning = meanings.first { key.equals($0.0) }?.1 ?? ""
      branches.append(branch)
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
  /// The members of the object, and what the specification says of them.
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
