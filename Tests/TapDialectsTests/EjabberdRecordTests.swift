// SPDX-License-Identifier: Apache-2.0
import TapBytes
import Testing

@testable import TapDialects

@Suite("Packets as ejabberd prints them") struct EjabberdRecordTests {
  @Test(
    "what damaged records are reported as",
    arguments: [
      ("#publish{id = 7,qos = 1,topic = <<\"a\">>,payload = <<\"b", #"{"qos":1,"topic":"a"}"#),
      ("#puback{id = 7,code = 'success", "{}"), ("#puback{id = 7,code = 'no", "{}"),
      ("#publish{qos = 0,passwor = <<\"geheim\">>,dup = true}", #"{"qos":0,"dup":true}"#),
      (
        "#publish{topic = <<\"K\u{C3}\u{BC}che\">>,payload = <<1,\n 255>>}",
        #"{"topic":"Küche","payload":{"base64":"Af8="}}"#
      ),
      ("#publish{qos = 1,topic = " + String(repeating: "[", count: 99), #"{"qos":1}"#),
      ("{unsubscribe,3,[<<\"a\">>],#{},#{}}", #"{"topicFilters":["a"]}"#),
    ])
  func reported(record: String, body: String) {
    var packet = EjabberdRecord(Array(record.utf8), level: 5)
    _ = packet.read()
    let json = String(decoding: packet.json, as: Unicode.UTF8.self)
    #expect(json.hasSuffix(#""body":\#(body)}"#), "\(json)")
  }

  @Test(
    "codes of versions before 5.0",
    arguments: [
      ("#connack{code = 'not-authorized',properties = #{server_keep_alive => 5}}", 4, "5"),
      ("#connack{code = 'not-authorized'}", 5, "135"), ("#connack{code = banned}", 4, "128"),
    ])
  func codes(record: String, level: Int, code: String) {
    var packet = EjabberdRecord(Array(record.utf8), level: level)
    #expect(packet.read() && packet.isRefusal)
    let json = String(decoding: packet.json, as: Unicode.UTF8.self)
    #expect(json == #"{"mqtt":"CONNACK","body":{"reasonCode":\#(code)}}"#)
  }
}
