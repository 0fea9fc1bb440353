// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import Testing

@testable import TapDialects

/// Messages of which pieces are not known: what is certain is shown, unless a credential may be
/// there.
@Suite("WAMP with unknown octets") struct WAMPPartialTests {
  @Test(
    "credentials stand under keys that unknown octets may be part of",
    arguments: [
      (#"···},[]···userid":123,"karma":10}]"#, false),
      (#"["emoji ········ and \"quotes\" \\ back"],{"from":"carol","n":2}]"#, false),
      (#"2,{},[{"session":7,"authid":"··e"}]]"#, false),
      (#"2,{},[{"session":7,"trans····":{"cookie":"a"}}]]"#, true),
      (#"2,{},[{"session":7,·transport·:{"cookie":"a"}}]]"#, true),
      (#"2,{},[{"session":7,"transport" :{"··":"a"}}]]"#, true),
      (#"2,{},[{"session":7,"resum·_tok":"a"}]]"#, true),
      (#"2,{},[{"session":7,"resum· that","a"}]]"#, false),
      (#"2,{},[{"session":7,"·u0074ransport":{"cookie":"a"}}]]"#, true),
      (#"2,{},[{"session":7,"·u00zzransport":{"cookie":"a"}}]]"#, false),
      (#"2,{},[{"session":7,··············{"cookie":"a"}}]]"#, true),
      (#"2,{},["transport","·"]]"#, false),
      (#"[5··········,··········after··········"#, true),
    ])
  func payloads(text: String, mayHold: Bool) {
    let bytes = Array(text.utf8)
    var message = Message("wamp", "RESULT", Origin())
    message.payload = ByteRange(0, bytes.count)
    let found = WAMPPartialSecrets.mayHold(payloadOf: message, bytes.span.bytes)
    #expect(found == mayHold)
    message.name = "GOODBYE"
    let isPayload = WAMPPartialSecrets.mayHold(payloadOf: message, bytes.span.bytes)
    #expect(!isPayload)
    // Where nothing says that it is about sessions, a key of which nothing is known is none.
    let isAny = WAMPPartialSecrets.mayHold(details: bytes.span.bytes)
    #expect(isAny == (mayHold && !text.contains(",······")))
  }

  @Test(
    "details of sessions",
    arguments: [
      (#"[1,"chat",{"authid":"j··"}]"#, false), (#"[1,"chat",{"tick··":"j"}]"#, true),
      (#"[2,77,{"ticket":"·"}]"#, false), (#"[2,77,{"auth·····":"·"}]"#, true),
      (#"[3,{},"wamp.error.·"]"#, false), (#"[5,"·",{}]"#, true),
    ])
  func messages(text: String, mayHold: Bool) {
    let bytes = Array(text.utf8)
    let found = WAMPPartialSecrets.mayHold(UInt64(bytes[1] - 0x30), bytes.span.bytes)
    #expect(found == mayHold)
  }
}
