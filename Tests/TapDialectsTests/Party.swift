// SPDX-License-Identifier: Apache-2.0
import TapDialects
import TapTesting
import TapTraffic

/// Connections to one router that are described in turn: `2>` is said by the client of the
/// second.
final class Party {
  let recorder = Recorder()
  private let run: RunContext
  private var layers: [Character: any Layer] = [:]
  private var now: Int64 = 1_000_000_000

  /// How each connection is described beyond its ends.
  private let describe: (inout Opening) -> Void

  init(_ limits: Limits = Limits(), _ describe: @escaping (inout Opening) -> Void = { _ in }) {
    (run, self.describe) = (RunContext(limits: limits), describe)
  }

  func wait(milliseconds: Int) { now += Int64(milliseconds) * 1_000_000 }

  /// `1> end` closes a connection, `1> cut` is the end of the evidence, `1> gap` a message that
  /// was not captured.
  func say(_ lines: [String], client: UInt8 = 7, port: UInt16? = nil, isFromStart: Bool = true) {
    for line in lines {
      let who = line.first!
      var opening = opening("wamp.2.json")
      opening.client = Endpoint(address: [10, 0, 0, client], port: UInt16(who.wholeNumberValue!))
      if let port { opening.server.port = port }
      opening.isFromStart = isFromStart
      describe(&opening)
      var layer = layers[who] ?? WAMPDialect().layer(opening, run)
      now += 1_000_000
      let origin = Origin(
        time: Instant(nanoseconds: now), record: UInt64(now), flow: UInt32(who.wholeNumberValue!),
        direction: line.dropFirst().first == ">" ? .toServer : .toClient)
      if line.hasSuffix("end") || line.hasSuffix("cut") {
        layer.finish(line.hasSuffix("end") ? .closed : .endOfEvidence, Delivery(origin), recorder)
        layers[who] = nil
        continue
      }
      if line.hasSuffix("gap") {
        layer.gap(nil, Delivery(origin), recorder)
        layers[who] = layer
        continue
      }
      layer.receive(Array(line.utf8.dropFirst(3)).span.bytes, Delivery(origin, .text), recorder)
      layers[who] = layer
    }
  }

  func join(
    _ who: Int, _ id: Int, realm: String = "r", client: UInt8 = 7, port: UInt16? = nil
  ) {
    let roles = #""callee":{},"subscriber":{},"publisher":{}"#
    say(
      [
        #"\#(who)> [1,"\#(realm)",{"roles":{\#(roles)}}]"#,
        #"\#(who)< [2,\#(id),{"roles":{"broker":{},"dealer":{}}}]"#,
      ], client: client, port: port)
  }

  func leave(_ who: Int) {
    say([
      #"\#(who)> [6,{},"wamp.close.close_realm"]"#, #"\#(who)< [6,{},"wamp.close.normal"]"#,
      "\(who)> end",
    ])
  }

  /// A session that leaves so many subscriptions open.
  func session(_ who: Int, leaving count: Int, client: UInt8 = 7) {
    join(who, 1000 + who, client: client)
    for request in 0..<count {
      say([
        #"\#(who)> [32,\#(request + 1),{},"t\#(request)"]"#,
        "\(who)< [33,\(request + 1),\(request + 50)]",
      ])
    }
    leave(who)
  }

  var warnings: [String] {
    recorder.findings.filter { $0.severity > .note }.map { String($0.code.name.dropFirst(5)) }
  }
}
