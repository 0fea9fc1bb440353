// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTesting
import Testing

/// Keys that an object has twice: what the scanner suspects, and what is the case.
@Suite struct RepeatedKeysTests {
  private func scan(_ text: String) -> (mayRepeat: Bool, keys: RepeatedKeys) {
    var scanner = JSONScanner(maximumDepth: 512)
    let bytes = Array(text.utf8)
    scanner.scan(bytes.span.bytes)
    #expect(scanner.problem == nil, "\(text)")
    return (scanner.mayRepeatKeys, RepeatedKeys(in: bytes.span.bytes))
  }

  @Test(
    "objects that have a key twice",
    arguments: [
      (#"[{"a":1,"a":2}]"#, 1), (#"[{"a":1,"b":2}]"#, 0), (#"[{"a":1,"a":2,"a":3}]"#, 2),
      (#"[{"a":{"a":1},"b":{"a":1}}]"#, 0), (#"[{"a":{"b":1},"c":2,"a":3}]"#, 1),
      (#"[{"x":[{"a":1},{"a":2}],"x":1}]"#, 1), (#"[1,{"":1,"":2}]"#, 1),
      (#"[ { "a" : 1 , "a" : 2 } ]"#, 1), (#"["a","a",{"b":"a"}]"#, 0),
      (#"[{"timestamp_one":1,"timestamp_two":2,"timestamp_one":3}]"#, 1),
      (#"[{"a":"{\"a\":1,\"a\":2}"}]"#, 0), (#"{"a":1,"a":2}"#, 1), ("[{}]", 0),
      (#"[{"type":1,"t\u0079pe":2}]"#, 1), (#"[{"\u0061":1,"b":2,"a":3}]"#, 1),
      (#"[{"a\/b":1,"a/b":2}]"#, 1), (#"[{"a\"":1,"a":2}]"#, 0),
      (#"[{"\ud800":1,"\ud801":2}]"#, 0),
      (#"[{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"i":{"j":1,"j":2}}}}}}}}}}]"#, 1),
    ])
  func objects(text: String, count: Int) {
    let found = scan(text)
    #expect(found.keys.count == count)
    #expect(found.mayRepeat || count == 0)
  }

  @Test("where the first of them stands") func place() {
    let text = #"[{"id":1,"id":2,"id":3}]"#
    let found = scan(text).keys
    #expect(found.first == ByteRange(10, 12) && found.count == 2 && found.unchecked == nil)
  }

  /// Random objects: the suspicion is never missing, and seldom wrong.
  @Test func random() {
    var random = Seeded(5)
    var suspicions = 0
    for _ in 0..<2000 {
      let count = Int.random(in: 1...8, using: &random)
      var keys = (0..<count).map { _ in
        String(
          (0..<Int.random(in: 1...20, using: &random)).map { _ in
            "abcdefgh_".randomElement(using: &random)!
          })
      }
      keys = Array(Set(keys)).sorted()
      var members = keys.map { #""\#($0)":{"\#(keys[0])":[1]}"# }
      if scan("[{\(members.joined(separator: ","))}]").mayRepeat { suspicions += 1 }
      let repeated = keys.randomElement(using: &random)!
      members.insert(
        #""\#(repeated)":0"#, at: Int.random(in: 0...members.count, using: &random))
      let found = scan("[{\(members.joined(separator: ","))}]")
      #expect(found.mayRepeat && found.keys.count == 1)
    }
    #expect(suspicions < 100)
  }

  @Test("of very many keys not all are compared") func many() {
    let members = (0..<70_000).map { #""k\#($0)":0"# } + [#""k0":1"#]
    let found = scan("{\(members.joined(separator: ","))}")
    #expect(found.mayRepeat && found.keys.unchecked != nil)
  }
}
