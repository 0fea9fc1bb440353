// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
@testable import TapTraffic
import Testing

/// Values beside the names of credentials, in all the ways in which programs write them.
@Suite struct CredentialFinderTests {
  private func found(
    _ text: String, _ form: CredentialFinder.Form, _ names: CredentialNames = .standard
  ) -> [String] {
    let bytes = Array(text.utf8)
    var finder = CredentialFinder(form, names)
    var values: [String] = []
    while let one = finder.next(in: bytes.span.bytes) {
      let value = String(decoding: bytes[one.value.start..<one.value.end], as: Unicode.UTF8.self)
      values.append(one.needsQuotes ? "\(value)!" : value)
    }
    return values
  }

  @Test(
    "in JSON, also in strings of it",
    arguments: [
      (#"[{"password":"hunter2","n":1}]"#, ["hunter2"]),
      (#"{"pin":1234,"otp":-1.5e3}"#, ["1234!", "-1.5e3!"]),
      (#"{"token": {"a":["}"]},"x":1}"#, [#"{"a":["}"]}!"#]),
      (#"{"Credentials":[1,[2,"]"]],"x":1}"#, [#"[1,[2,"]"]]!"#]),
      (#"{"token":null,"secret":true,"pwd":"","jwt":false}"#, []),
      (#"{"API-Key":"a","api_key":"b","apikey":"c","api key":"d"}"#, ["a", "b", "c", "d"]),
      (#"{"p_w_d":"a","passwo-r-d":"b","to k e-n":"c"}"#, ["a", "b", "c"]),
      (#"{"passw\u006frd":"a","\u0070in":"b","pi\u006E":"c"}"#, ["a", "b", "c"]),
      (#"{"pin" : "a", "token"\#n:\#t"b"}"#, ["a", "b"]),
      (#"{"token":"a\"b\\","cookie":"c"}"#, [#"a\"b\\"#, "c"]),
      (#"{"my_password":"a","tokens":"b","passwordless":"c","pinned":1}"#, []),
      (#"["{\"password\":\"a\\\"b\",\"pin\":12}","x"]"#, [#"a\\\"b"#, "12"]),
      (#"["{\"a\":\"{\\\"token\\\":\\\"deep\\\"}\"}","x"]"#, ["deep"]),
      (#"["{\"token\":{\"a\":\"x\"}}","y"]"#, [#"{\"a\":\"x\"}"#]),
      (#"["{\"token\":{\"a\":\"x","y"]"#, [#"{\"a\":\"x"#]),
      (#"["user=joe&password=hunter2&x=1","token=a"]"#, ["hunter2", "a"]),
      // A frame of STOMP in one of SockJS.
      (#"["STOMP\nlogin:joe\npasscode:hunter2\n\n\u0000"]"#, ["hunter2"]),
      (#"["{\"a\":\"b\\npin:1234\\r\\ntoken:abc9\\n\"}"]"#, ["1234", "abc9"]),
      (#"["a=1&user%5Bpassword%5D=x1&b%5bpin%5d=7&_target=user%5Bpassword%5D"]"#, ["x1", "7"]),
      (#"{"user[password]":"a","user[name]":"b","password]":"c"}"#, ["a"]),
      (#"["the password=","x"]"#, []),
      (#"["token: [a","b]"]"#, ["[a"]),
      (#"["Authorization: Bearer abc def","Cookie: a=b; c=d"]"#, ["Bearer abc def", "a=b; c=d"]),
      (#"["invalid token: expired","wrong password: hunter2"]"#, ["hunter2"]),
      (#"["{'pin': 12, 'pwd': 'x'}"]"#, ["12", "x"]),
      (#"{"password":"…","x":…}"#, []),
      (#"{"password":"<secret-3>"}"#, ["<secret-3>"]),
      (#"[{"name":"Cookie","value":"a=b"},{"name":"Host","value":"c"}]"#, ["a=b"]),
      (#"[{"value":"a=b","name":"Cookie"},{"value":"c","name":"Host"}]"#, ["a=b"]),
      (#"{"Key":"X-API-Key","type":"text","n":[1],"value":"c"}"#, []),
      (#"{"Key":"X-API-Key","type":"text","n":1,"Value":"c"}"#, ["c"]),
      (
        #"{"name":"Cookie","value":{"type":"string","value":"a"}}"#,
        [
          #"{"type":"string","value":"a"}!"#
        ]
      ),
      (
        #"{"value":{"type":"string","value":"a"},"name":"Cookie"}"#,
        [
          #"{"type":"string","value":"a"}!"#
        ]
      ),
      (#"{"name":"Cookie","password":"p","value":7}"#, ["7!", "p"]),
      (#"{"x":{"value":"c"},"name":"Cookie"},{"name":"Cookie"},{"value":"c"}"#, []),
      (#"["{\"name\":\"Cookie\",\"value\":\"a=b\"}"]"#, ["a=b"]),
      (#"{"name":"Co\u006fkie","value":"a=b"}"#, ["a=b"]),
    ])
  func json(text: String, values: [String]) { #expect(found(text, .json) == values) }

  @Test(
    "in what is no JSON",
    arguments: [
      ("password=hunter2", ["hunter2"]), ("a=1&pass%77ord=x%20y&b=2", ["x%20y"]),
      ("{'password' => 'x', :token => \"y\"}", ["x", "y"]),
      ("User{Password:hunter2 Token:abc9}", ["hunter2", "abc9"]),
      ("user=joe password=\"a b\" n=1", ["a b"]),
      ("{'token': b'abc', 'pin': (1, 2)}", ["abc", "(1, 2)"]),
      ("{\"password\":\"hun", ["hun"]), ("{\"token\":[1,2", ["[1,2!"]),
      ("cookie: a=b; c=d\r\nhost: x", ["a=b; c=d"]),
      ("authorization: \"Basic x\"", ["Basic x"]), ("token := \"x\"", ["x"]),
      ("user[password]=x&a[token]=y&b[name]=n&pin]=1", ["x", "y"]),
      ("[header=\"Cookie\" value=\"a=b\" merge=0]", ["a=b"]),
      ("<input name='password' type='password' value='x'><input name='n' value='y'>", ["x"]),
      ("{'name': 'Cookie', 'value': 'a=b'}", ["a=b"]), ("{\"name\":\"Cookie\",\"val", []),
      ("{\"name\":\"Cookie\",\"value\":\"a=", ["a="]), ("name=\"Cookie\"", []),
      ("token: Bearer  abc, n", ["Bearer  abc"]), ("key: value", []), (":=:=", []), ("", []),
    ])
  func text(text: String, values: [String]) { #expect(found(text, .text) == values) }

  @Test("names are added and taken back")
  func names() {
    var names = CredentialNames.standard
    names.insert(contentsOf: ["pass_phrase_2"])
    names.remove(contentsOf: ["Token"])
    let text = #"{"PassPhrase2":"a","token":"b","access_token":"c"}"#
    #expect(found(text, .json, names) == ["a", "c"])
    #expect(!CredentialNames.isName("größe") && !CredentialNames.isName("_"))
    #expect(CredentialNames.isName("X-Key") && CredentialNames.isName("pw"))
  }

  @Test("the place in the text does not matter", arguments: 0..<40)
  func places(count: Int) {
    let text = String(repeating: " ", count: count) + #"{"pin":"a"}"#
    #expect(found(text, .json) == ["a"])
    #expect(found(text + String(repeating: " ", count: count), .json) == ["a"])
  }

  /// Walked over again for each piece, such a text would take hours.
  @Test(
    "no text is walked over again and again", .timeLimit(.minutes(10)),
    arguments: [
      "token:", "\"token\":[", "token='", "\\\"token\\\":{\\\"", "\\\\", "token=\\", "password=a&",
      "\"pin\":\"", "--__%", "  :", "pin=(", "'pin':'\\\\",
    ])
  func growth(piece: String) {
    let bytes = Array(String(repeating: piece, count: 100_000).utf8)
    for form in [CredentialFinder.Form.json, .text] {
      var finder = CredentialFinder(form)
      while finder.next(in: bytes.span.bytes) != nil {}
    }
    let hidden = HiddenCredentials(.standard, [])
    _ = hidden.firstValue(in: bytes.span.bytes)
  }

  @Test(
    "names of one or two letters",
    arguments: [
      (#"{"pw":"a","PW":"b","p_w":"c","k":"d"}"#, ["a", "b", "c", "d"]),
      (
        #"{"s":"{\"pw\":\"a\"}","u":"http://h/x?pw=b","f":"a=1&k=c","\u0070w":"d"}"#,
        ["a", "b", "c", "d"]
      ),
      (#"{"lines":"pw: hunter2\nk: x1\n"}"#, ["hunter2", "x1"]),
      (#"{"ppw":"a","pwd":"b","kk":"c","w":"d","http":"k"}"#, []),
    ])
  func short(text: String, values: [String]) {
    #expect(found(text, .json, CredentialNames(["pw", "k"])) == values)
  }

  /// Maps of MessagePack with one key.
  @Test(arguments: [("pw", true), ("P-W", true), ("pwd", false), ("w", false)])
  func shortInBinary(key: String, isFound: Bool) {
    let bytes = [0x81, 0xA0 | UInt8(key.utf8.count)] + Array(key.utf8) + [0xA1, 0x61]
    #expect(BinaryCredentials.isAny(in: bytes.span.bytes, CredentialNames(["pw"])) == isFound)
  }

  /// Most names are ruled out by their last letters: those of credentials never are.
  @Test(arguments: CredentialNames.standard.all)
  func noCredentialIsRuledOut(name: String) {
    let word = name.replacing(" ", with: "_")
    for (before, isFound) in [
      ("sixteen_letters_", true), (#"sixteen_letters\u00e9"#, true), ("%3Fsixteen_", true),
      ("sixteenletters_x", false), (#"ab\u0061bcdefgh"#, false),
    ] {
      let bytes = Array(#"{"a":1,"\#(before)":1,"\#(isFound ? "" : before)\#(word)":"x1"}"#.utf8)
      var finder = CredentialFinder(.json)
      #expect((finder.next(in: bytes.span.bytes) != nil) == isFound, "\(word) behind \(before)")
    }
  }

  /// Names are looked for many bytes at a time, by their last letters: none may be missed by that.
  @Test(arguments: [CredentialNames.standard, CredentialNames(["in", "p"])])
  func everyNameIsLookedAt(names: CredentialNames) {
    let pieces = [
      "pin", "token", "PIN", "p", "i", "n", "ke", "retain", "x", "pass", "word", "_", "-", " ",
      #"\u006e"#, #"\u0069"#, #"\u0070"#, #"\\u0069"#, "%6e", "%69", "%70", #"\n"#, #"""#, #"\""#,
      #"\\\""#, "'", "`", "{", ":", "=", ":", "=",
      "xyxyxyxyxyxyxyx",
    ].map { Array($0.utf8) }
    var random = Seeded(31)
    var found = 0
    for _ in 0..<40_000 {
      let count = Int.random(in: 1...16, using: &random)
      let text = (0..<count).flatMap { _ in pieces.randomElement(using: &random)! }
      for at in text.indices where text[at] == 0x3A || text[at] == 0x3D {
        let bytes = text.span.bytes
        // Only forms have such escapes.
        if text[at] == 0x3A && text.contains(0x25) { continue }
        if CredentialNames.Spelling(before: at, bytes, names.table) == nil { continue }
        found += 1
        #expect(names.table.endings.firstSeparator(in: bytes, from: at) == at)
        #expect(names.table.endings.firstSeparator(in: bytes) ?? .max <= at)
      }
    }
    #expect(found > 500)
  }
}
