// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// What a single message breaks, pasted or captured.
@Suite struct WAMPMessageRulesTests {
  @Test(
    "options, URIs and payloads",
    arguments: [
      (#"[32,1,{"match":"prefix","get_retained":true},"a.b"]"#, [String]()),
      (#"[32,1,{"match":"Prefix"},"a.b"]"#, ["error option-value"]),
      (#"[32,1,{"match":5},"a.b"]"#, ["error option-type"]),
      (#"[32,1,{"match":null},"a.b"]"#, []),
      (#"[32,1,{"m\u0061tch":"x"},"a.b"]"#, ["error option-value"]),
      (#"[16,1,{"exclude":[1,"2"]},"a.b"]"#, ["error option-type"]),
      (#"[16,1,{"exclude_authid":["joe"],"eligible":[7]},"a.b"]"#, []),
      (#"[16,1,{"eligible":[]},"a.b"]"#, ["warning eligible-empty"]),
      (#"[16,1,{"match":"prefix"},"a.b"]"#, ["warning option-misplaced"]),
      (#"[48,1,{"timeout":-1},"a.b"]"#, ["error option-value"]),
      (#"[48,1,{"timeout":1.5e3},"a.b"]"#, []),
      (#"[48,1,{"x_trace":1,"_own":2},"a.b"]"#, []),
      (#"[48,1,{"trace":1},"a.b"]"#, ["note option-unknown"]),
      (#"[50,1,{"callee":7,"callee_authid":"joe"}]"#, []),
      (#"[8,48,1,{"anything":1},"a.error"]"#, []),
      (#"[49,1,{"mode":"stop"}]"#, ["error option-value"]),
      (#"[64,1,{"invoke":"all"},"a.b"]"#, ["error option-value"]),
      (#"[1,"r",{"roles":{"caller":[]}}]"#, ["error option-type"]),
      (
        #"[1,"r",{"roles":{"caller":{"features":{"call_timeout":1}}}}]"#, ["error option-type"]
      ),
      (#"[1,"r",{"roles":{},"authmethods":"ticket"}]"#, ["error option-type"]),
      (#"[1,"r..s",{}]"#, ["error realm-invalid"]),
      (#"[1,null,{}]"#, []),
      (#"[48,1,{},"a b"]"#, ["error uri-invalid"]),
      (#"[48,1,{},"a..b"]"#, ["error uri-invalid"]),
      (#"[48,1,{},"wamp.session.get"]"#, []),
      (#"[16,1,{},"a..b"]"#, ["error uri-invalid", "warning publish-unacked-refused"]),
      (#"[16,1,{"acknowledge":true},"a..b"]"#, ["error uri-invalid"]),
      (#"[16,1,{"acknowledge":true},"wamp.x"]"#, ["error uri-reserved"]),
      (#"[16,1,{"acknowledge":true},"wampum.x"]"#, []),
      (#"[32,1,{},"a.B-c"]"#, ["note uri-not-strict"]),
      (#"[64,1,{"match":"wildcard"},"a..b"]"#, []),
      (#"[8,48,1,{},"wamp.error.cancelled"]"#, []),
      (#"[8,48,1,{},"wamp.error.nonsense"]"#, ["note error-uri-unknown-wamp"]),
      (#"[6,{},"wamp.close.normal"]"#, []),
      (#"[48,1,{},"a.b",[]]"#, ["note empty-args-sent"]),
      (#"[48,1,{"timeout":1,"timeout":1},"a.b"]"#, ["warning duplicate-key"]),
      (#"[48,1,{},"a.b",[{"id":1},{"id":1,"x":{"id":1}}]]"#, []),
      (#"[48,1,{},"a.b",[],{"a":{"id":1,"id":2},"b":1,"b":1}]"#, ["warning duplicate-key"]),
      (#"[48,1,{},"a.b",[],{"a":1}]"#, []),
      (#"[48,1,{},"a.b",[1],{}]"#, ["note empty-args-sent"]),
      (#"[48,1,{},"a.b","\u0000AAEC"]"#, ["warning opaque-payload-undeclared"]),
      (#"[48,1,{"enc_algo":"mqtt"},"a.b","\u0000AAEC"]"#, ["note opaque-payload"]),
      (#"[48,1,{"ppt_scheme":"wamp"},"a.b",["\u0000AAEC"]]"#, ["note opaque-payload"]),
      (#"[48,1,{"ppt_scheme":"wamp"},"a.b",["\u0000AAEC",1]]"#, ["warning ppt-shape"]),
      (#"[48,1,{"ppt_scheme":"wamp"},"a.b"]"#, ["warning ppt-shape"]),
      (
        #"[48,1,{"ppt_scheme":"mqtt","ppt_serializer":"native"},"a.b",[1,2]]"#, []
      ),
      (
        #"[8,48,1,{},"a.error",["no"],{"traceback":["x"]}]"#, ["warning traceback-leak"]
      ),
    ])
  func message(text: String, found: [String]) {
    let talk = WAMPConversation()
    talk.say(text)
    #expect(
      talk.recorder.findings.map { "\($0.severity) \($0.code.name.dropFirst(5))" } == found)
  }

  @Test("errors are reported each time, notes once") func repetition() {
    let talk = WAMPConversation()
    for request in 1...3 {
      talk.say(#"[48,\#(request),{"timeout":"5"},"a.b"]"#)
      talk.say(#"[48,\#(request),{},"a..b"]"#)
      talk.say(#"[48,\#(request),{"odd":\#(request)},"a.B"]"#)
    }
    let codes = Dictionary(grouping: talk.recorder.codes) { $0 }.mapValues(\.count)
    #expect(
      codes == [
        "wamp.option-type": 3, "wamp.uri-invalid": 3, "wamp.option-unknown": 1,
        "wamp.uri-not-strict": 1,
      ])
  }

  @Test("security is marked") func security() {
    let talk = WAMPConversation()
    talk.say(#"[8,48,1,{},"a.error",["no"],{"traceback":["x"]}]"#)
    #expect(talk.recorder.findings.map(\.isSecurity) == [true])
  }
}
