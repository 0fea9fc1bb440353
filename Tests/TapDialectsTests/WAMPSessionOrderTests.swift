// SPDX-License-Identifier: Apache-2.0
import TapTesting
import TapTraffic
import Testing

/// HELLO to GOODBYE, and what comes when it should not. `>` is said by the client, `<` by the
/// router.
@Suite("Order of a WAMP session") struct WAMPSessionOrderTests {
  private static let hello = #"> [1,"chat",{"roles":{"caller":{},"publisher":{}}}]"#
  private static let welcome = #"< [2,1002,{"roles":{"broker":{},"dealer":{}}}]"#
  private static let publish = #"> [16,1,{"acknowledge":true},"a"]"#
  private static let bye = #"> [6,{},"wamp.close.close_realm"]"#
  private static let answer = #"< [6,{},"wamp.close.goodbye_and_out"]"#
  private static let abort = #"< [3,{},"wamp.error.no_such_realm"]"#

  private func codes(_ lines: [String]) -> [String] {
    WAMPSessionRulesTests.codes(lines).filter { $0.contains("message-") }
  }

  @Test(
    "in order",
    arguments: [
      [hello, welcome, publish, "< [17,1,7]", bye, answer],
      [hello, #"< [4,"ticket",{}]"#, #"> [5,"x",{}]"#, welcome, bye, answer],
      // Who has not said GOODBYE may go on until it does.
      [hello, welcome, publish, bye, "< [17,1,7]", answer],
      // Another session begins on the connection.
      [hello, welcome, bye, answer, hello, welcome, publish, "< [17,1,7]", bye, answer],
      // What the client sent before it heard of ABORT.
      [hello, abort, publish],
    ])
  func inOrder(lines: [String]) { #expect(codes(lines) == []) }

  @Test(
    "out of order",
    arguments: [
      ([publish], ["error message-before-hello"]),
      (["< [17,1,7]"], ["error message-before-welcome"]),
      ([hello, "< [36,7,1,{}]"], ["error message-before-welcome"]),
      ([hello, publish, bye], ["error message-before-welcome"]),
      // Once, however many come.
      ([hello, "< [36,7,1,{}]", "< [36,7,2,{}]"], ["error message-before-welcome"]),
      ([hello, welcome, bye, publish], ["error message-after-goodbye"]),
      ([hello, welcome, bye, answer, "< [36,7,1,{}]"], ["error message-after-goodbye"]),
      ([hello, abort, "< [36,7,1,{}]"], ["error message-after-abort"]),
    ])
  func outOfOrder(lines: [String], found: [String]) { #expect(codes(lines) == found) }

  @Test("a request is not early where WELCOME was captured before it, and is reported behind it")
  func late() {
    let talk = WAMPConversation()
    let lines: [(String, UInt64)] = [
      (Self.hello, 1), (Self.publish, 3), (Self.welcome, 2), ("< [17,1,7]", 4),
    ]
    for (line, record) in lines {
      let direction: Direction = line.hasPrefix(">") ? .toServer : .toClient
      talk.say(String(line.dropFirst(2)), direction, record: record)
    }
    #expect(talk.recorder.codes == [])
  }

  @Test("behind a gap nothing is early") func gap() {
    #expect(codes(["< gap", Self.publish, "< [36,7,1,{}]"]) == [])
  }
}
