// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The content of a packet: its namespace, its ack id, and its data.
enum SocketIOOutline {
  static func append(
    _ message: Message, _ bytes: RawSpan, to branches: inout ContiguousArray<Branch>
  ) {
    let whole = ByteRange(0, bytes.byteCount)
    guard message.traits.contains(.isJSON), !bytes.isEmpty,
      let namespace = JSON.value(of: "namespace", in: whole, bytes)
    else { return PlainOutline.append(message, bytes, to: &branches) }
    branches.append(Branch("namespace", .json, namespace.range))
    if let query = JSON.value(of: "query", in: whole, bytes) {
      branches.append(Branch("query", .json, query.range))
    }
    if message.second.role != .none {
      var ack = Branch("ack id", .heading, ByteRange())
      ack.link = 2
      branches.append(ack)
    }
    guard let data = JSON.value(of: "data", in: whole, bytes) else { return }
    let name = message.name
    let isEvent = name.equals("EVENT") || name.equals("BINARY_EVENT")
    guard data.kind == .array || data.kind == .object else {
      return branches.append(Branch("data", .json, data.range))
    }
    var at = data.range.start + 1
    let inside = bytes.extracting(0..<data.range.end)
    var index: Int32 = 0
    while let member = JSON.next(inside, &at, inObject: data.kind == .object) {
      guard branches.count < Limits.standard.outlineLines else {
        return branches.append(.more(depth: 0))
      }
      var branch = Branch("argument", .json, member.value.range)
      if data.kind == .object {
        (branch.title, branch.key) = ("", member.key)
      } else {
        branch.index = index
        if isEvent && index == 0 { branch.title = "event" }
      }
      index += 1
      branches.append(branch)
    }
  }
}
