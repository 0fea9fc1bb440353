// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEvidence
import TapTesting
import TapTraffic
import Testing

/// What tells the conversations of a log apart, and who sends, in words that no format knows.
@Suite struct LogSourcesTests {
  private func reported(_ text: String) -> [String] {
    let sink = StrictSink()
    TestLog.read(text, onto: sink)
    return sink.reported
  }

  private func flows(_ text: String) -> String {
    reported(text).map { String($0.prefix { $0 != " " }) }.joined(separator: " ")
  }

  @Test(
    "what names a connection tells conversations apart",
    arguments: [
      ("[sess=1] sent", "[sess=2] sent"), ("session 111 recv", "session 222 recv"),
      ("10.0.0.7:5 recv", "10.0.0.7:6 recv"), ("[::1]:5 recv", "[::1]:6 recv"),
      ("recv from [2001:db8::1]:5000:", "recv from [2001:db8::1]:5001:"),
      ("/0:0:0:0:0:0:0:1:5000 recv", "/0:0:0:0:0:0:0:1:5001 recv"),
      ("[ws:3f2a] recv", "[ws:9b1c] recv"),
      ("client-7: sent", "client-8: sent"),
      ("conn#3f recv", "conn#4f recv"),
      ("<- client1", "<- client2"), ("recv from 10.0.0.7:5", "recv from 10.0.0.8:5"),
      (#"{"cid":"a1","dir":"in","d":"#, #"{"cid":"a2","dir":"in","d":"#),
      ("client-1  | recv", "client-2  | recv"),
      ("Nov 20 23:34:50 h1 app[100]: recv", "Nov 20 23:34:51 h1 app[200]: recv"),
      ("Nov 20 23:34:50 h1 app: recv", "Nov 20 23:34:51 h2 app: recv"),
      (
        "2026-11-20T23:34:50.1+00:00 h1 app[1]: recv",
        "2026-11-20T23:34:50.1+00:00 h1 app[2]: recv"
      ),
      (
        "<34>1 2026-11-20T23:34:50Z h app 1 - - recv", "<34>1 2026-11-20T23:34:50Z h app 2 - - recv"
      ),
      ("11-20 23:34:50.123  1234  5678 D Ws: recv", "11-20 23:34:50.123  2234  5678 D Ws: recv"),
      ("11-20 23:34:50.123 D/Ws( 1234): recv", "11-20 23:34:50.123 D/Ws( 2234): recv"),
      ("11-20 23:34:50.123 1234-5678/com.x D/W: recv", "11-20 23:34:50.123 2234-5/com.x D/W: recv"),
      ("2026-11-20 23:34:50.1 App[12:34] recv", "2026-11-20 23:34:50.1 App[13:34] recv"),
      ("Nov 20 23:34:50.123456 h1 app[1]: recv", "Nov 20 23:34:50.123456 h1 app[2]: recv"),
      ("[pod/chat-7d4b-abcde/app] recv", "[pod/chat-7d4b-fghij/app] recv"),
      ("2026-11-20T23:34:50.1+00:00 app[web.1]: recv", "2026-11-20T23:34:50.1Z app[web.2]: recv"),
      ("2026-11-20T23:34:50Z app[14e] ams [info] recv", "2026-11-20T23:34:50Z app[15e] ams recv"),
      ("23:34:50 web.1    | recv", "23:34:50 web.2    | recv"),
      (
        "   2026-11-20T23:34:50.12+0100 [APP/PROC/WEB/0] OUT recv",
        "   2026-11-20T23:34:50.12+0100 [APP/PROC/WEB/1] OUT recv"
      ),
      ("chargePointId=CP1 recv", "chargePointId=CP2 recv"),
    ])
  func apart(one: String, other: String) {
    #expect(flows("\(one) [36,1]\n\(other) [36,2]\n\(one) [36,3]\n") == "1 2 1")
  }

  @Test(
    "what stands behind a message may name its connection",
    arguments: [
      ("msg=\"recv ", "\" session=1", "\" session=2"), ("recv ", " (conn=7)", " (conn=8)"),
      ("recv ", " from WebSocketSession[id=a1, uri=/]", " from WebSocketSession[id=b2, uri=/]"),
    ])
  func behind(words: String, one: String, other: String) {
    let lines = [(1, one), (2, other), (3, one)].map { "\(words)[36,\($0.0)]\($0.1)\n" }
    #expect(flows(lines.joined()) == "1 2 1")
  }

  @Test(
    "what does not name one tells nothing apart",
    arguments: [
      ("[http-nio-1] recv", "[http-nio-2] recv"), ("client A recv", "client B recv"),
      ("ws.py:12: recv", "wire.py:90: recv"),
      ("session began at 23:34:50 recv", "session 12s recv"),
      ("a.log.1:12:recv", "a.log:12:recv"), ("client 23:34:50 recv", "client 23:34:51 recv"),
      ("Nov 20 23:34:50 INFO app: recv", "Nov 20 23:34:51 DEBUG app: recv"),
      ("Nov 20 23:34:50 app INFO: recv", "Nov 20 23:34:51 app DEBUG: recv"),
      ("Nov 20 23:34:50 03:47:51 recv: ", "Nov 20 23:34:51 03:47:52 recv: "),
      ("DEBUG [main] ws.client:757 recv", "DEBUG [main] ws.client:611 recv"),
      ("2026-11-20 23:34:50 w-1 app: recv", "2026-11-20 23:34:50 w-2 app: recv"),
      ("11-20 23:34:50.123  1234  5678 D Ws: recv", "11-20 23:34:50.123  1234  5679 D Ws: recv"),
      ("recv for topic a.b1:", "recv for topic a.b2:"), ("ws:ws.py:12 recv", "ws:it.py:13 recv"),
      (#"{"id":1,"dir":"in","d":"#, #"{"id":2,"dir":"in","d":"#),
      ("10:00:00 recv", "10:00:00"), ("10:00:00 recv", "10:00:00  D/"),
      ("10:00:00 recv", "10:00:00 D/W( "), ("10:00:00 recv", "10:00:00 12-"),
      ("10:00:00 recv", "10:00:00 App[12:"),
      ("2026-11-20 23:34:50 INFO   | recv", "2026-11-20 23:34:50 DEBUG  | recv"),
      ("2026-11-20T23:34:50Z info[12] recv", "2026-11-20T23:34:50Z debug[13] recv"),
    ])
  func together(one: String, other: String) {
    #expect(flows("\(one) [36,1]\n\(other) [36,2]\n\(one) [36,3]\n") == "1 1 1")
  }

  @Test("headings of tail name the file of the lines below")
  func headings() {
    let text = """
      ==> a.log <==
      recv [36,1]
      something

      ==> b.log <==
      something
      recv [36,2]

      ==> a.log <==
      recv [36,3]

      """
    #expect(flows(text) == "1 2 1")
    #expect(flows(text.replacing("==> a.log", with: "=> a.log")) == "1 1 1")
  }

  @Test("a process is reported by the members of its records, behind the message")
  func process() {
    let lines = [(7, 1), (8, 2), (7, 3)].map {
      #"{"MESSAGE":"recv [36,\#($0.1)]","_HOSTNAME":"h","_PID":"\#($0.0)"}"#
    }
    #expect(flows(lines.joined(separator: "\n")) == "1 2 1")
  }

  @Test(
    "who sends, in words around or before the message",
    arguments: [
      ("recv b'", "toClient"), ("received: u\"", "toClient"),
      (#"sent {text,<<""#, "toServer"), ("read ", "unknown"), ("[APP/PROC/WEB/0] OUT ", "unknown"),
      ("client -> server: ", "unknown"), ("from client ", "toServer"),
      ("To server\",\"", "toServer"),
      ("sent to client: ", "toClient"),
      ("RX (3) ", "toClient"), ("TX Array(3) ", "toServer"), (#"recv a[""#, "toClient"),
      ("a -> b ", "unknown"), ("moved to shelf ", "unknown"), ("data", "unknown"),
      ("recv pos=3 ", "unknown"), ("x>> ", "unknown"),
      (#"{"m":">> "#, "toServer"), (#"{"m":"=> "#, "toServer"),
      (#"<p class="x">"#, "unknown"),
      ("client 10.0.0.7:5000 received ", "toClient"),
    ])
  func words(before: String, direction: String) {
    let reported = reported("\(before)[36,1]\n")
    #expect(reported.map { $0.split(separator: " ")[1] } == [Substring(direction)], "\(before)")
  }
}
