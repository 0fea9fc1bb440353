// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

/// The outline of one message: `1 exclude_me false: …`, an element a line.
private func outline(_ json: String, _ links: [Link] = []) -> [String] {
  let bytes = Array(json.utf8)
  var message = Message("wamp", "NAME", Origin())
  message.first = links.first ?? .none
  message.second = links.dropFirst().first ?? .none
  var rows = ContiguousArray<OutlineRow>()
  WAMPDialect().outline(message, bytes.span.bytes, into: &rows)
  return rows.map { row in
    func text(_ start: Int, _ end: Int) -> String {
      String(decoding: bytes[start..<end], as: Unicode.UTF8.self)
    }
    let isTitled = row.title.utf8CodeUnitCount > 0
    let name = isTitled ? row.title.description : text(row.key.start, row.key.end)
    let place = row.index < 0 ? "" : "[\(row.index)] "
    let value = row.kind == .heading ? "" : " \(text(row.range.start, row.range.end))"
    let link = row.link > 0 ? " =\(row.link)" : ""
    let remark = row.remark.utf8CodeUnitCount > 0 ? " ! \(row.remark)" : ""
    let more = row.isExtension ? " (extension)" : ""
    return String(repeating: "  ", count: Int(row.depth)) + place + name + value + link + more
      + remark
  }
}

@Suite struct WAMPOutlineTests {
  @Test(arguments: WAMPType.codes) func everyElementHasANameAndAMeaning(_ code: UInt64) throws {
    let type = try #require(WAMPType(code: code))
    #expect(type.titles.count == type.arity.upperBound - 1)
    #expect(type.meaning.utf8CodeUnitCount > 0)
    // HEARTBEAT is no more.
    if code != 7 { #expect(type.meanings.count == type.titles.count) }
  }

  @Test(
    arguments: [
      (
        "[33,11,5862354]",
        ["[0] SUBSCRIBED 33", "[1] SUBSCRIBE.Request 11", "[2] Subscription 5862354"]
      ),
      (
        #" [ 48 , 7 , { "timeout" : "5" } , "p" , [1] ] "#,
        [
          "[0] CALL 48", "[1] Request 7", "[2] Options", #"  timeout "5" ! must be an integer"#,
          #"[3] Procedure "p""#, "[4] Arguments [1]",
        ]
      ),
      (
        #"[16,1,{"exclude_me":false,"\u0065ligible":[],"_own":{"a":1},"what":0,"enc_key":"k"},"t"]"#,
        [
          "[0] PUBLISH 16", "[1] Request 1", "[2] Options", "  exclude_me false",
          #"  \u0065ligible []"#, #"  _own {"a":1}"#, "  what 0", #"  enc_key "k" (extension)"#,
          #"[3] Topic "t""#,
        ]
      ),
      (
        #"[1,"r",{"roles":{"caller":{"features":{"call_timeout":1,"x":true},"call_canceling":true},"boss":{}}}]"#,
        [
          "[0] HELLO 1", #"[1] Realm "r""#, "[2] Details", "  roles", "    caller",
          "      features",
          "        call_timeout 1 ! must be true or false", "        x true",
          "      call_canceling true ! belongs in features", "    boss {}",
        ]
      ),
      (
        #"[2,9,{"authextra":{"verifier":"v"},"roles":3}]"#,
        [
          "[0] WELCOME 2", "[1] Session 9", "[2] Details", "  authextra", #"    verifier "v""#,
          "  roles 3 ! must be a dictionary",
        ]
      ),
      ("[33,0]", ["[0] SUBSCRIBED 33", "[1] SUBSCRIBE.Request 0 ! must be from 1 to 2^53"]),
      (
        "[33,1e1,9007199254740993,true]",
        [
          "[0] SUBSCRIBED 33", "[1] SUBSCRIBE.Request 1e1 ! sent as a float",
          "[2] Subscription 9007199254740993 ! must be from 1 to 2^53",
          "[3] element true ! one more than the specification has",
        ]
      ),
      ("[35,0,{}]", ["[0] UNSUBSCRIBED 35", "[1] UNSUBSCRIBE.Request 0", "[2] Details {}"]),
      ("[999,1]", ["[0] message type 999 ! unknown to the specification", "[1] element 1"]),
      (#"["x"]"#, [#"[0] message type "x" ! no type code"#]), ("[]", []),
      ("", ["payload"]), ("{}", ["payload {}"]), ("[33,", ["payload [33,"]),
    ] as [(String, [String])])
  func tells(_ json: String, _ lines: [String]) { #expect(outline(json) == lines) }

  @Test func linksStandAtTheirElements() {
    func link(_ role: Link.Role, _ word: StaticString, _ key: UInt64) -> Link {
      Link(role, word, key, space: 1)
    }
    let granted = outline(
      "[33,5,5]", [link(.answers, "request", 5), link(.names, "subscription", 5)])
    #expect(
      granted == ["[0] SUBSCRIBED 33", "[1] SUBSCRIBE.Request 5 =1", "[2] Subscription 5 =2"])
    // The code of the request is no id, though it has the same digits.
    let error = outline(#"[8,48,48,{},"e"]"#, [link(.answers, "request", 48)])
    #expect(error[1...2] == ["[1] REQUEST.Type 48", "[2] REQUEST.Request 48 =1"])
    // A link without a word has no element.
    let welcome = outline("[2,7,{}]", [link(.answers, "", 0), link(.shows, "session", 7)])
    #expect(welcome[1] == "[1] Session 7 =2")
  }

  @Test func isBounded() {
    let keys = (0..<10_000).map { "\"k\($0)\":0" }.joined(separator: ",")
    let lines = outline("[48,1,{\(keys)},\"p\"]")
    #expect(lines.count < Limits().outlineLines + 8)
    #expect(lines.last == "[3] Procedure \"p\"")
    #expect(lines.contains { $0.contains("there are more") })
  }
}

@Suite struct WAMPOptionTests {
  @Test func oneEntryForEachKeyOfAMessage() {
    var seen: Set<String> = []
    for option in WAMPOption.all {
      #expect(!option.codes.isEmpty && option.meaning.utf8CodeUnitCount > 0)
      for code in option.codes {
        let name = "\(code) \(option.inside) \(option.key)"
        #expect(seen.insert(name).inserted, "\(name) is there twice")
        let hasDictionary = WAMPType(code: code)?.elements.description.contains("d")
        #expect(hasDictionary == true, "\(code) has no dictionary for \(option.key)")
      }
    }
  }

  @Test func sentencesHaveNoEnd() {
    let meanings = WAMPOption.all.map(\.meaning) + WAMPFeature.all.map(\.meaning)
    for meaning in meanings { #expect(!meaning.description.hasSuffix("."), "\(meaning)") }
  }

  @Test func oneEntryForEachFeature() {
    #expect(Set(WAMPFeature.all.map(\.key.description)).count == WAMPFeature.all.count)
  }
}
