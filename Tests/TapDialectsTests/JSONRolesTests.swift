// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic
import Testing

@testable import TapDialects

/// Members are known by their names, whatever the case of their letters and the signs in them.
@Suite struct JSONRolesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var kind: String?
    var id: String?
    var reply: String?
    var testDescription: String { text }

    init(_ text: String, kind: String? = nil, id: String? = nil, reply: String? = nil) {
      (self.text, self.kind, self.id, self.reply) = (text, kind, id, reply)
    }
  }

  static let cases = [
    Case(#"{"type":"ask","id":7,"room":"hall"}"#, kind: "type", id: "id"),
    Case(#"{"Type":"ask","ID":7,"page":1}"#, kind: "Type", id: "ID"),
    Case(#"{"TYPE":"ask","reqId":7,"page":1}"#, kind: "TYPE", id: "reqId"),
    Case(#"{"msg_type":"ask","msg-id":7}"#, kind: "msg_type", id: "msg-id"),
    Case(
      #"{"messageType":"ask","correlation_id":"a-1"}"#, kind: "messageType", id: "correlation_id"),
    Case(#"{"cmd":"ask","in_reply_to":"a-1"}"#, kind: "cmd", reply: "in_reply_to"),
    // Of rosbridge: the type of what is inside is no kind where another member may be.
    Case(#"{"op":"advertise","id":"a:1","type":"std_msgs/String"}"#, kind: "op", id: "id"),
    Case(#"{"type":"counter/increment","id":1}"#, kind: "type", id: "id"),
    // Signs beside those that are passed over: `,` and `.`, `^` and backtick.
    Case(#"{"ty,pe":"ask","i.d":7,"ty^pe":"a","ty`pe":"b","type@":"c"}"#),
    Case(#"{"types":"ask","ids":7,"idx":1,"tYpE[":"d"}"#),
  ]

  @Test(arguments: cases) func names(example: Case) throws {
    var known = JSONRoles.KnownNames()
    try check(example, &known)
  }

  @Test("names that were seen before mean the same") func knownNames() throws {
    var known = JSONRoles.KnownNames()
    for example in Self.cases + Self.cases { try check(example, &known) }
  }

  private func check(_ example: Case, _ known: inout JSONRoles.KnownNames) throws {
    let bytes = Array(example.text.utf8)
    var scanner = JSONScanner(maximumDepth: 16)
    try #require(scanner.scan(bytes.span.bytes) == bytes.count)
    let roles = JSONRoles(scanner.members, bytes.span.bytes, &known)
    func name(_ member: Int?) -> String? {
      guard let key = member.map({ scanner.members[$0].key }) else { return nil }
      return String(decoding: bytes[key.start..<key.end], as: Unicode.UTF8.self)
    }
    #expect(name(roles.kind) == example.kind)
    #expect(name(roles.id) == example.id)
    #expect(name(roles.reply) == example.reply)
  }
}
