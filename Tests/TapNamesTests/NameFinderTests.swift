// SPDX-License-Identifier: Apache-2.0
import TapNames
import TapTraffic
import Testing

@Suite("Names and masks") struct NameFinderTests {
  private func rule(
    _ subject: String, _ field: String, _ values: [(String, String)]
  ) throws -> NameRule {
    try NameRule(
      [SubjectPattern(subject)], FieldPath(field), values.map { (value: $0.0, name: $0.1) })
  }

  @Test(
    "of values as people write them",
    arguments: [
      ("100", "hundred"), (#""100""#, "hundred"), ("100.0", "hundred"), ("1e2", "hundred"),
      (#""\u0031\u0030\u0030""#, "hundred"), ("1000", nil), ("100.5", nil), ("-100", nil),
      ("-1", "minus"), ("true", "yes"), (#""true""#, "yes"), ("false", nil), ("null", nil),
      ("[100]", nil), ("{}", nil), (#""""#, nil), (#""žluť""#, "colour"), ("NaN", nil),
      ("1" + String(repeating: "0", count: 500), nil),
    ] as [(String, String?)])
  func values(_ value: String, _ name: String?) throws {
    var names = Names()
    names.rules = [
      try rule(
        "a", "type",
        [("100", "hundred"), ("-1", "minus"), ("true", "yes"), ("žluť", "colour")])
    ]
    let found = Payload(#"[{"type":\#(value)}]"#).names(names, "a").map(\.name)
    #expect(Payload(#"[{"type":\#(value)}]"#).names(names, "b").isEmpty)
    #expect(found == (name.map { [$0] } ?? []))
  }

  @Test(
    "of a field, the first rule that knows the value",
    arguments: [
      ("a.b", "1", ["type first"]), ("a.b", "2", ["type second"]), ("a.c", "1", ["type second"]),
      ("c", "1", ["type anything"]), (nil, "1", ["type anything"]), ("c", "2", []),
    ] as [(String?, String, [String])])
  func order(_ subject: String?, _ value: String, _ expected: [String]) throws {
    var names = Names()
    names.rules = [
      try rule("a.b", "type", [("1", "first")]),
      try rule("a.*", "type", [("1", "second"), ("2", "second")]),
      try rule("*", "type", [("1", "anything")]),
    ]
    let found = Payload(#"[{"type":\#(value)}]"#).names(names, subject)
    #expect(found.map { "\($0.field) \($0.name)" } == expected)
  }

  @Test("of several fields") func several() throws {
    var names = Names()
    names.rules = [
      try rule("*", "type", [("1", "one")]), try rule("*", "kwargs.level", [("2", "two")]),
    ]
    let found = Payload(#"[{"type":1}]"#, #"{"level":2}"#).names(names, "a")
    #expect(found.map { "\($0.field) \($0.name)" } == ["type one", "kwargs.level two"])
  }

  @Test(
    "of what is masked, every value",
    arguments: [
      ("password", #"["u",{"password":"x"}]"#, #"{"password":"y"}"#, ["y", "x"]),
      ("password", #"[{"password":"x","password":"z"}]"#, "", ["x", "z"]),
      ("password", #"[{"p\u0061ssword":"x"}]"#, "", ["x"]),
      ("password", #"[{"password":["a",{"b":5},true,null,""]}]"#, "", ["a", "5", "true"]),
      ("[1]", #"["user","x"]"#, "", ["x"]), ("args", #"["a",{"b":1}]"#, "", ["a", "1"]),
      ("kwargs", "[1]", #"{"a":"b"}"#, ["b"]), ("kwargs.a", "", #"{"a":"b"}"#, ["b"]),
      ("users[*].pin", #"[{"users":[{"pin":1},{"pin":2},3]}]"#, "", ["1", "2"]),
      ("[*].pin", #"[{"pin":1},{"pin":2}]"#, "", ["1", "2"]), ("pin", #""opaque""#, "", []),
      ("pin", "", "", []),
    ] as [(String, String, String, [String])])
  func masks(_ field: String, _ list: String, _ keywords: String, _ secrets: [String]) throws {
    var names = Names()
    names.masks = [MaskRule([try SubjectPattern("com.login")], [try FieldPath(field)])]
    #expect(Payload(list, keywords).secrets(names, "com.login") == secrets)
    #expect(Payload(list, keywords).secrets(names, "com.other") == [])
    // It might be the subject.
    #expect(Payload(list, keywords).secrets(names, nil) == secrets)
  }

  @Test("of what is malformed, all that its lists and objects say") func malformed() throws {
    var names = Names()
    names.masks = [MaskRule([try SubjectPattern("com.login")], [try FieldPath("password")])]
    let payload = Payload(#"{"user":"u"},["x",7],8"#, #"["y"]"#, .isMalformed)
    #expect(payload.secrets(names, "com.login") == ["u", "x", "7", "y"])
    #expect(payload.secrets(names, "com.other") == [])
  }
}
