// SPDX-License-Identifier: Apache-2.0
import TapNames
import TapTraffic
import Testing

@Suite("Field paths") struct FieldPathTests {
  /// A message `[list,keywords]`, and what the path leads to.
  @Test(
    "lead to one value",
    arguments: [
      ("type", #"[{"type":1}]"#, "", "1"), ("type", #"[{"type":1}]"#, #"{"type":2}"#, "2"),
      ("type", #"["a",7,{"type":1},{"type":2}]"#, "{}", "1"),
      ("type", #"[{"TYPE":1}]"#, "", nil), ("type", #"[[{"type":1}]]"#, "", nil),
      ("type", #"[{"t\u0079pe":1}]"#, "", "1"), ("type", #"[{"type":1,"type":2}]"#, "", "2"),
      ("a.b", #"[{"a":{"b":1},"a":{}}]"#, "", nil),
      ("args[0].type", #"[{"type":1}]"#, #"{"type":2}"#, "1"),
      ("[1]", #"[{"type":1}, 5 ]"#, "", "5"), ("[2]", "[1,2]", "", nil),
      ("kwargs.type", #"[{"type":1}]"#, #"{"type":2}"#, "2"),
      ("kwargs.type", #"[{"type":1}]"#, "", nil),
      ("[0].body.op", #"[ { "body" : { "op" : "x" } } ]"#, "", "x"),
      ("[0][1].é", #"[[0,{"é":3}]]"#, "", "3"), ("type", "[]", "{}", nil),
      ("type", "", "", nil), ("type", #""opaque""#, "", nil), ("[0].a", "[1]", "", nil),
      ("args.a", #"[{"args":{"a":1}}]"#, "", "1"), ("kwargs.args", "[]", #"{"args":1}"#, "1"),
    ] as [(String, String, String, String?)])
  func values(_ path: String, _ list: String, _ keywords: String, _ value: String?) throws {
    // Whatever is found, its name is itself.
    let names = [("1", "1"), ("2", "2"), ("3", "3"), ("5", "5"), ("x", "x")]
    let rule = try NameRule([.any], FieldPath(path), names.map { (value: $0.0, name: $0.1) })
    var all = Names()
    all.rules = [rule]
    #expect(Payload(list, keywords).names(all).map(\.name) == (value.map { [$0] } ?? []))
  }

  @Test(
    "lead to arguments without a list around them",
    arguments: [
      ("[0].type", #"{"type":1}"#, true, "1"), ("type", #"{"type":1}"#, true, "1"),
      ("[0]", "5", true, "5"), ("[0][1]", "[1,2]", true, "2"), ("[0]", "[1,2]", true, nil),
      ("[1]", "1,2,3", false, "2"), ("args[2].type", #"1, 2, {"type":3}"#, false, "3"),
      ("[3]", "1,2,3", false, nil), ("type", #"1,{"type":3}"#, false, "3"), ("[0]", "", false, nil),
    ] as [(String, String, Bool, String?)])
  func bare(_ path: String, _ payload: String, _ isSingle: Bool, _ value: String?) throws {
    let names = [("1", "1"), ("2", "2"), ("3", "3"), ("5", "5")]
    let rule = try NameRule([.any], FieldPath(path), names.map { (value: $0.0, name: $0.1) })
    var all = Names()
    all.rules = [rule]
    all.masks = [MaskRule([.any], [try FieldPath("args")])]
    let message = Payload(payload, "", isSingle ? .isSingle : .isSequence)
    #expect(message.names(all).map(\.name) == (value.map { [$0] } ?? []))
    // All of them are masked together.
    #expect(message.secrets(all).isEmpty == payload.isEmpty)
  }

  @Test(
    "are refused with the reason",
    arguments: [
      ("", "lacks a key"), ("a..b", "lacks a key"), ("a.", "lacks a key"), ("kwargs.", "lacks"),
      ("args[0", "without a ']'"), ("args[x]", "[0], [1]"), ("args[-1]", "[0], [1]"),
      ("args[+1]", "[0], [1]"), ("args[]", "[0], [1]"), ("args[99999]", "[0], [1]"),
      ("[0]a", "belongs"), ("a]b", "belongs"), ("a" + String(repeating: ".a", count: 40), "deep"),
    ])
  func refusals(_ path: String, _ reason: String) {
    let fault = #expect(throws: NamesFault.self) { try FieldPath(path) }
    #expect(fault?.text.contains(reason) == true, "\(fault?.text ?? "")")
  }

  @Test("are no names for all or many", arguments: ["args", "kwargs", "a[*].b"])
  func several(_ path: String) throws {
    let field = try FieldPath(path)
    #expect(throws: NamesFault.self) { try NameRule([.any], field, [("1", "one")]) }
  }
}
