// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

@testable import TapRender

/// What ladders are drawn of: peers that talk through one router.
struct Ladders {
  private var page: Page
  private var clock: Int64 = 0
  private var index: UInt64 = 0
  /// What was written before the end.
  private(set) var early = ""

  init(width: Int? = 80, _ narrowing: LadderFilter = LadderFilter(), limits: Limits = Limits()) {
    page = Page(LadderRenderer.text(Self.options(width), narrowing, limits))
  }

  init(mermaid narrowing: LadderFilter) {
    page = Page(LadderRenderer.mermaid(Self.options(nil), narrowing, Limits()))
  }

  private static func options(_ width: Int?) -> LineRenderer.Options {
    var options = LineRenderer.Options()
    options.width = width
    return options
  }

  var shown: Int { page.shown }

  mutating func open(_ connections: Int, servers: [UInt8] = [1], ports: [UInt16] = [8080]) {
    for number in 1...connections {
      var opening = Opening(
        .webSocket, client: Endpoint(address: [10, 0, 0, UInt8(number)], port: 50_000),
        server: Endpoint(
          address: [10, 1, 0, servers[(number - 1) % servers.count]],
          port: ports[(number - 1) % ports.count]),
        isFromStart: true)
      opening.subprotocol = Array("wamp.2.json".utf8)
      early += page.write {
        $0.opened(opening, connection: UInt32(number), Delivery(Origin()), into: &$1)
      }
    }
  }

  /// A message one millisecond after the one before; answers its number.
  @discardableResult
  mutating func say(
    _ connection: UInt32, _ direction: Direction, _ name: StaticString, _ links: [Link] = [],
    _ subject: String = "", _ payload: String = "", answers: UInt64 = 0, reason: String = "",
    about: StaticString = "", facts: [(StaticString, String)] = [], later: Int64 = 1
  ) -> UInt64 {
    clock += later * 1_000_000
    let words = facts.map { "\"\($0.1)\"" }.joined(separator: ",")
    let json = "[\(words),\"\(reason)\",\(payload.isEmpty ? "0" : payload)]"
    var traits: Message.Traits = [.isText, .isJSON]
    if name.description == "ERROR" { traits.insert(.isFailure) }
    var said = TestMessage(Array(json.utf8), name, links, traits: traits)
    (said.subject, said.reason, said.about, said.facts) = (subject, reason, about, facts)
    said.payload = payload.isEmpty ? [] : [payload]
    (said.time, said.connection, said.direction) = (clock, connection, direction)
    (said.latency, said.answers) = (answers > 0 ? 1_890_000 : -1, answers)
    early += page.show(said)
    index += 1
    return index
  }

  /// CALL by one client, and what it is to the callee, over both legs.
  mutating func call(
    _ request: UInt64, by caller: UInt32, to callee: UInt32, _ procedure: String = "com.calc.add2"
  ) {
    let call = say(caller, .toServer, "CALL", [link("request", request)], procedure, "[0,10]")
    let invocation = say(
      callee, .toClient, "INVOCATION",
      [link("request", request + 25), link("registration", 567, .refers)], procedure, "[0, 10]")
    say(
      callee, .toServer, "YIELD", [link("request", request + 25, .answers)], procedure, "[10]",
      answers: invocation)
    say(
      caller, .toClient, "RESULT", [link("request", request, .answers)], procedure, "[10]",
      answers: call)
  }

  mutating func write(_ body: (inout any Renderer, inout TextBuffer) -> Void) {
    early += page.write(body)
  }

  /// All of it, after the end.
  mutating func drawn() -> String {
    early + page.write { $0.summary(Summary(), into: &$1) }
  }
}
