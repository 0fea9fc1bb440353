// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// What the members of a record say of the message in it.
@Suite struct LogMembersTests {
  private func directions(_ text: String) -> [String] {
    let sink = StrictSink()
    TestLog.read(text, onto: sink)
    return sink.reported.map { String($0.split(separator: " ")[1]) }
  }

  @Test(
    "who sends stands in a member before or behind the message",
    arguments: [
      (#"{"direction":"outgoing","n":1,"data":"[36,1]"}"#, "toServer"),
      (#"{"data":"[36,1]","direction":"incoming"}"#, "toClient"),
      (#"{"data":[36,1,{"direction":"outgoing"}],"dir":"in"}"#, "toClient"),
      (#"{"data":[36,1,{"direction":"outgoing"}],"n":1}"#, "unknown"),
      (#"{"type":"sent","len":3,"payload":"[36,1]"}"#, "toServer"),
      (#"{"type":"websocket.receive","len":3,"text":"[36,1]"}"#, "toClient"),
      (#"{'type': 'websocket.send', 'n': 3, 'text': '[36,1]'}"#, "toServer"),
      (#"{"m":"onMessage","method":"webSocketFrameReceived","payloadData":"[36,1]"}"#, "toClient"),
      (#"{"dir":"out","f":{"n":1,"data":"[36,1]"}}"#, "toServer"),
      (#"{"f":{"data":"[36,1]","n":1},"n":{"dir":"in"},"dir":"out"}"#, "toServer"),
      (#"{"l":"{\"n\":1,\"data\":\"[36,1,{},\\\"a\\\"]\",\"dir\":\"in\"}"}"#, "toClient"),
      (#"{"l":"{\"n\":1,\"data\":\"[36,1,{}]\"}","dir":"in"}"#, "toClient"),
      (#"{"n":1,"data":"[36,1]","msg":"a \"b\" {","dir":"in"}"#, "toClient"),
      (#"{"dir":"rx","p":"[36,1]"}"#, "toClient"),
      (#"{"l":"{\"dir\":\"rx\",\"p\":\"[36,1]\"}"}"#, "toClient"),
      // What happens, and what it is about, may be anything.
      (#"{"event":"log_in","n":1,"data":"[36,1]"}"#, "unknown"),
      (#"{"msg":"user logged in","n":1,"data":"[36,1]"}"#, "unknown"),
      (#"{"dir":"/var/log","n":1,"data":"[36,1]"}"#, "unknown"),
      // Columns of a table.
      (#"7,→,1=TEXT,"[36,1,""a""]""#, "toServer"), (#"7;"To client";3;"[36,1]""#, "toClient"),
      ("7;in;[36,1]", "toClient"), ("7;To client;[36,1];8", "toClient"),
      ("7\tout\t[36,1]", "toServer"),
      (#"out,7,"[36,1]",in"#, "toServer"), (#"7,a out,8,"[36,1]""#, "unknown"),
      // Another record says nothing of this one.
      (#"[{"n":1,"data":"[36,1]"},{"dir":"in"}]"#, "unknown"),
    ])
  func member(line: String, expected: String) {
    #expect(directions(line) == [expected])
  }

  @Test("each record of a list says it of its own message")
  func list() {
    let line =
      #"[{"data":"[36,1]","n":1,"dir":"in"},{"data":"[36,2]","n":1,"dir":"out"},{"n":[36,3]}]"#
    #expect(directions(line) == ["toClient", "toServer", "unknown"])
  }

  @Test(
    "lines that are made to be slow are read in time that grows with their length only",
    .timeLimit(.minutes(10)),
    arguments: [
      (#"[{"n":1},"#, #"{"data":"[36,1]","n":1,"dir":"in"},"#), (#"{"a":"#, "[36,1]"),
      (#"{"a":""#, "[36,1]"), (#"{"a":"#, #"[36,[""#), (#"{"dir":"in","a":["#, "[36,[],"),
      (#"{"a":"#, #"\"{[36,"#), (#"{"a":"#, #"{"b":[36,"#),
    ])
  func many(begin: String, repeated: String) {
    let line = begin + String(repeating: repeated, count: 5000)
    #expect(directions(line + "\nrecv [36,1]").last == "toClient")
  }
}
