// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// What sides announce of themselves and prove, and what must agree with it.
@Suite struct WAMPHandshakeTests {
  private static func hello(_ more: String) -> String {
    #"> [1,"r",{"roles":{"caller":{}},\#(more)}]"#
  }

  private static func welcome(_ more: String = "") -> String {
    #"< [2,77,{"roles":{"dealer":{}}\#(more)}]"#
  }

  private static let challenge =
    #"{\"session\":77,\"authid\":\"joe\",\"authrole\":\"user\",\"nonce\":\"n\"}"#
  private static let ones = String(repeating: "1", count: 64)
  private static let signature = String(repeating: "a", count: 128)
  /// A key pair of Ed25519, and what it has signed, as another implementation (the Python package
  /// cryptography) made them.
  private static let key = "1adfc8bfe1d35616e64dffbd900096f23b066f914c8c2ffbb66f6075b96e116d"
  private static let signed =
    "5a3d1933578397d419b221789afc66dd7760695496e6faa5efd1012ddb54cfff"
    + "3f80930d24f61cbd88ac92eb1fddfbbb31374b33cfb5b77d853701a9961fc903"
  private static let count = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

  /// More members than are kept, a key twice, and roles that were read before.
  @Test func manyDetails() {
    let many = (0..<100).map { #""_\#($0)":\#($0)"# }.joined(separator: ",")
    let hello =
      #"[1,"r",{"roles":{"callee":{}},\#(many),"roles":{"caller":{"ticket":"s1"}},"#
      + #""ticket":"s2","authid":"joe"}]"#
    let talk = WAMPConversation()
    for _ in 0..<2 {
      #expect(
        talk.say(hello, .toServer)?.shown == [
          "fact realm r", "fact roles caller", "fact authid joe", "secret secret s1",
          "secret secret s2",
        ])
    }
  }

  @Test(
    "authentication",
    arguments: [
      (
        [
          hello(#""authmethods":["wampcra"]"#), #"< [4,"wampcra",{"challenge":"\#(challenge)"}]"#,
          #"> [5,"s",{}]"#, welcome(#","authid":"joe","authrole":"user","authmethod":"wampcra""#),
        ], [String]()
      ),
      (
        [
          hello(#""authmethods":["ticket"]"#), #"< [4,"wampcra",{"challenge":"\#(challenge)"}]"#,
          #"> [5,"s",{}]"#, welcome(#","authid":"jim","authrole":"admin""#),
        ],
        [
          "warning challenge-method-not-offered", "warning auth-binding-mismatch",
          "warning auth-binding-mismatch",
        ]
      ),
      // The nonce of the client ends within a character of base64.
      (
        [
          hello(#""authmethods":["scram"],"authextra":{"nonce":"Z0M5H7gF8vv2nl2ofirl0w=="}"#),
          #"< [4,"wamp-scram",{"nonce":"Z0M5H7gF8vv2nl2ofirl0zz/QxHg","iterations":64,"kdf":"argon2id13"}]"#,
          #"> [5,"s",{"nonce":"Z0M5H7gF8vv2nl2ofirl0zz/QxHg"}]"#, welcome(),
        ], []
      ),
      (
        [
          hello(#""authmethods":["scram"],"authextra":{"nonce":"abcd"}"#),
          #"< [4,"scram",{"nonce":"abceefgh","iterations":64,"kdf":"pbkdf2"}]"#,
          #"> [5,"s",{"nonce":"other"}]"#, welcome(),
        ], ["warning weak-kdf", "warning auth-binding-mismatch", "warning auth-binding-mismatch"]
      ),
      (
        [
          hello(#""authmethods":["cryptosign"]"#), #"< [4,"cryptosign",{"challenge":"\#(ones)"}]"#,
          #"> [5,"\#(signature)\#(ones)",{}]"#, welcome(),
        ], []
      ),
      (
        [
          hello(#""authmethods":["cryptosign"]"#), #"< [4,"cryptosign",{"challenge":"\#(ones)"}]"#,
          #"> [5,"\#(signature)2\#(ones.dropLast())",{}]"#, welcome(),
        ], ["warning auth-binding-mismatch"]
      ),
      (
        [
          hello(#""authmethods":["cryptosign"]"#),
          #"< [4,"cryptosign",{"challenge":"\#(ones)","channel_binding":"tls-unique"}]"#,
          #"> [5,"\#(signature)2\#(ones.dropLast())",{}]"#, welcome(),
        ], []
      ),
    ])
  func authentication(lines: [String], found: [String]) {
    #expect(WAMPSessionRulesTests.codes(lines + WAMPSessionRulesTests.left) == found)
  }

  @Test(
    "signatures of cryptosign, against the keys that were named",
    arguments: [
      // The client's.
      (#""pubkey":"\#(key)""#, #""challenge":"\#(count)""#, "\(signed)\(count)", 0),
      (#""pubkey":"\#(key.uppercased())""#, #""challenge":"\#(count)""#, "\(signed)\(count)", 0),
      (#""pubkey":"\#(count)""#, #""challenge":"\#(count)""#, "\(signed)\(count)", 1),
      (#""pubkey":"\#(key)""#, #""challenge":"\#(ones)""#, "\(signature)\(ones)", 1),
      (#""pubkey":"\#(key)""#, #""challenge":"\#(ones)""#, "\(signed)\(ones)", 1),
      (#""pubkey":"\#(key)""#, #""challenge":"\#(ones)""#, "\(signed)\(count)", 1),
      (#""pubkey":"\#(key)""#, #""challenge":"\#(ones)""#, "\(signature)\(count)", 2),
      // Bound to the channel, whose id nobody knows here.
      (
        #""pubkey":"\#(key)""#, #""challenge":"\#(ones)","channel_binding":"tls-unique""#,
        "\(signed)\(count)", 0
      ),
      // No key, no signature: nothing to say.
      (#""pubkey":"xyz""#, #""challenge":"\#(count)""#, "\(signature)\(count)", 0),
      (#""other":1"#, #""challenge":"\#(count)""#, "\(signature)\(count)", 0),
      (#""pubkey":"\#(key)""#, #""challenge":"\#(count)""#, "5a3d…", 0),
      // The router's.
      (
        #""challenge":"\#(count)""#, #""pubkey":"\#(key)","signature":"\#(signed)\#(count)""#,
        "", 0
      ),
      (
        #""challenge":"\#(ones)""#, #""pubkey":"\#(key)","signature":"\#(signed)\#(count)""#,
        "", 1
      ),
      (
        #""challenge":"\#(count)""#, #""pubkey":"\#(ones)","signature":"\#(signed)\#(count)""#,
        "", 1
      ),
    ])
  func signatures(hello: String, challenge: String, signature: String, mismatches: Int) {
    let found = WAMPSessionRulesTests.codes(
      [
        Self.hello(#""authmethods":["cryptosign"],"authextra":{\#(hello)}"#),
        #"< [4,"cryptosign",{\#(challenge)}]"#, #"> [5,"\#(signature)",{}]"#, Self.welcome(),
      ] + WAMPSessionRulesTests.left)
    #expect(found == Array(repeating: "warning auth-binding-mismatch", count: mismatches))
  }

  @Test(
    "features, by who must announce them",
    arguments: [
      (#"[32,1,{"match":"prefix"},"a"]"#, "", "", "warning feature-not-announced"),
      (
        #"[32,1,{"match":"prefix"},"a"]"#, "", #""pattern_based_subscription":true"#,
        "note feature-not-announced"
      ),
      // The broker alone announces it.
      (#"[32,1,{"get_retained":true},"a"]"#, "", #""event_retention":true"#, nil),
      (#"[32,1,{"get_retained":true},"a"]"#, "", "", "warning feature-not-announced"),
      (#"[32,1,{"get_retained":false},"a"]"#, "", "", nil),
      (#"[32,1,{"match":"exact"},"a"]"#, "", "", nil),
      (
        #"[32,1,{"match":"prefix"},"a"]"#, #""pattern_based_subscription":true"#, "",
        "warning feature-not-announced"
      ),
      (
        #"[48,1,{"ppt_scheme":"wamp"},"a",["\u0000AA=="]]"#, "",
        #""payload_passthru_mode":true"#, "error ppt-not-announced"
      ),
      // The sender itself breaks the rules by these.
      (#"[48,1,{"progress":true},"a"]"#, "", "", "error feature-not-announced"),
      (
        #"[48,1,{"progress":true},"a"]"#, "", #""progressive_call_invocations":true"#,
        "error feature-not-announced"
      ),
      (
        #"[48,1,{"progress":true},"a"]"#, #""progressive_call_invocations":true"#, "",
        "warning feature-not-announced"
      ),
      (#"[48,1,{"timeout":0},"a"]"#, "", "", nil),
      (#"[49,1,{"mode":"skip"}]"#, "", "", "warning feature-not-announced"),
      (
        #"[49,1,{"mode":"skip"}]"#, #""call_cancelling":true"#, #""call_canceling":true"#, nil
      ),
    ] as [(String, String, String, String?)])
  func features(text: String, client: String, router: String, found: String?) {
    let both = ["caller", "subscriber"].map { #""\#($0)":{"features":{\#(client)}}"# }
    let sides = ["broker", "dealer"].map { #""\#($0)":{"features":{\#(router)}}"# }
    let codes = WAMPSessionRulesTests.codes([
      #"> [1,"r",{"roles":{\#(both.joined(separator: ","))}}]"#,
      #"< [2,77,{"roles":{\#(sides.joined(separator: ","))}}]"#, "> " + text,
    ])
    #expect(codes.last { $0.hasSuffix("not-announced") } == found)
  }
}
