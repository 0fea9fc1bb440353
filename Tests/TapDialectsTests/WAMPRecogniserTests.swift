// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapDialects

@Suite("WAMP among other texts") struct WAMPRecogniserTests {
  @Test(
    "a list with more elements than are kept is malformed at most",
    arguments: [
      (#"[48,1,2,3,4,5,6,7,8,9,"a.b",{}]"#, ""), (#"[48,1,"a.b",3,4,5,6,7,8,9,10,{}]"#, ""),
      (#"[48,1,{},"a.b",4,5,6,7,8,9]"#, "wamp"),
    ])
  func long(list: String, dialect: String) {
    var recogniser = WAMPDialect().recogniser(limits: Limits(), SharedScan(limits: Limits()))
    let bytes = Array(list.utf8)
    let recognition = recogniser.recognise(bytes.span.bytes, .text, in: .text)
    #expect(recognition.grade == .none)
    #expect(recognition.isMalformed)
    #expect(recognition.malformedDialect.description == dialect)
  }
}
