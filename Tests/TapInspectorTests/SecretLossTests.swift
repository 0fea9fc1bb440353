// SPDX-License-Identifier: Apache-2.0
import Foundation
import TapBytes
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// Compressed sessions with credentials in every place that has some, of which packets were lost:
/// whatever is shown of the rest, no piece of a credential is.
@Suite("Secrets and losses") struct SecretLossTests {
  private typealias Said = (direction: Direction, item: Item)

  enum Serializer: String, CaseIterable {
    case json, msgpack, cbor, ubjson, flatbuffers
  }

  /// What nobody may read: letters and digits that occur nowhere else.
  private static func credential(_ random: inout Seeded) -> String {
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    return String((0..<18).map { _ in letters.randomElement(using: &random)! })
  }

  /// Two sessions, one after the other.
  private static func session(_ secrets: [String]) -> [Said] {
    func text(_ place: Int) -> Item { .text(secrets[place]) }
    func login(_ ticket: Int, _ session: UInt32) -> [Said] {
      [
        (
          .toServer,
          .list([
            .number(1), .text("realm1"),
            .map([
              ("roles", .map([("caller", .map([])), ("subscriber", .map([]))])),
              ("authmethods", .list([.text("ticket")])), ("authid", .text("joe")),
              ("authextra", .map([("device", text(1)), ("api_key", text(2))])),
            ]),
          ])
        ),
        (.toClient, .list([.number(4), .text("ticket"), .map([])])),
        (.toServer, .list([.number(5), text(ticket), .map([])])),
        (
          .toClient,
          .list([
            .number(2), .number(session),
            .map([
              ("roles", .map([("dealer", .map([])), ("broker", .map([]))])),
              ("resume-token", text(3)), ("cookie", text(4)),
            ]),
          ])
        ),
      ]
    }
    func call(_ request: UInt32, _ keywords: Item) -> Said {
      (
        .toServer,
        .list([
          .number(48), .number(request), .map([]), .text("com.user.login"), .list([]), keywords,
        ])
      )
    }
    func result(_ request: UInt32, _ argument: Item) -> Said {
      (.toClient, .list([.number(50), .number(request), .map([]), .list([argument])]))
    }
    return login(0, 88)
      + [
        call(1, .map([("user", .text("joe")), ("password", text(5))])),
        result(1, .map([("token", text(6)), ("user", .text("joe"))])),
        (
          .toServer,
          .list([
            .number(48), .number(2), .map([]), .text("wamp.session.get"), .list([.number(88)]),
          ])
        ),
        result(
          2,
          .map([
            ("session", .number(88)),
            ("transport", .map([("headers", .map([("x-key", text(7))]))])),
          ])),
        (.toServer, .list([.number(6), .map([]), .text("wamp.close.normal")])),
        (.toClient, .list([.number(6), .map([]), .text("wamp.close.goodbye_and_out")])),
      ] + login(8, 89)
      + [
        call(1, .map([("user", .text("joe")), ("password", text(9))])), result(1, .text("welcome")),
      ]
  }

  private static func flatBuffers(_ secrets: [String]) -> [(Direction, [UInt8])] {
    func login(_ ticket: Int) -> [(Direction, [UInt8])] {
      [
        (
          .toServer,
          FlatBufferNode.message(
            1,
            [
              1: .table([1: .table([:])]), 2: .string("realm1"), 3: .octets([1]), 4: .string("joe"),
            ])
        ),
        (.toClient, FlatBufferNode.message(4, [1: .u8(1)])),
        (.toServer, FlatBufferNode.message(5, [1: .string(secrets[ticket])])),
        (.toClient, FlatBufferNode.message(2, [0: .u64(88), 1: .table([0: .table([:])])])),
      ]
    }
    let keywords = Item.map([("password", .text(secrets[5]))]).cbor
    let call = FlatBufferNode.message(
      48, [1: .u64(1), 2: .string("com.user.login"), 4: .octets(keywords)])
    return login(0) + [(.toServer, call)] + login(8) + [(.toServer, call)]
  }

  private static func talk(_ serializer: Serializer, _ secrets: [String]) -> Dialogue {
    var talk = Dialogue()
    talk.open("wamp.2.\(serializer.rawValue)", extensions: "permessage-deflate")
    var deflaters: [Direction: Deflater] = [:]
    func say(_ direction: Direction, _ message: [UInt8], isText: Bool) {
      let payload = deflaters[direction, default: Deflater()].message(message)
      talk.frame(direction, rsv: 4, opcode: isText ? 1 : 2, payload)
    }
    if serializer == .flatbuffers {
      for (direction, message) in flatBuffers(secrets) { say(direction, message, isText: false) }
    } else {
      for (direction, item) in session(secrets) {
        let message =
          switch serializer {
          case .json: Array(item.json.utf8)
          case .msgpack: item.messagePack
          case .cbor: item.cbor
          default: item.ubjson
          }
        say(direction, message, isText: serializer == .json)
      }
    }
    talk.close()
    return talk
  }

  /// All that the program would print of packets, in every form.
  private static func outputs(_ packets: [CaptureBuilder.Timed]) -> [String] {
    var options = LineRenderer.Options()
    (options.showsAll, options.showsTree) = (true, true)
    (options.showsFrames, options.showsOctets) = (true, true)
    let renderers: [any Renderer] = [
      LineRenderer(LineRenderer.Options()), TreeRenderer(options), NDJSONRenderer(inputs: ["x"]),
      LadderRenderer.text(LineRenderer.Options(), Narrowing(), Limits()),
    ]
    return renderers.map { renderer in
      let inspector = Inspector(renderer, Inspector.Options())
      let ground = Ground(inspector, limits: Limits())
      for (index, packet) in packets.enumerated() {
        let bytes = ContiguousArray(packet.bytes)
        ground.packet(
          bytes.span.bytes,
          Packet(
            time: Instant(nanoseconds: Int64(packet.time)), number: UInt64(index + 1),
            originalLength: UInt32(bytes.count), linkType: 1))
      }
      ground.finish()
      var text = ""
      inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
      return text
    }
  }

  /// The text with what stands in it as hexadecimal digits or base64.
  private static func readable(_ text: String) -> String {
    var hex: [UInt8] = []
    for line in text.split(separator: "\n") where line.hasPrefix("    0") {
      let digits = line.dropFirst(10).prefix(48).split(separator: " ")
      hex += digits.compactMap { UInt8($0, radix: 16) }
    }
    let base64 = text.components(separatedBy: #"{"base64":""#).dropFirst().map { part in
      let octets = Data(base64Encoded: String(part.prefix { $0 != "\"" })) ?? Data()
      return String(decoding: octets, as: Unicode.UTF8.self)
    }
    return ([text, String(decoding: hex, as: Unicode.UTF8.self)] + base64).joined(separator: "\n")
  }

  private static func pieces(of secret: String) -> [String] {
    let letters = Array(secret)
    return (0...letters.count - 6).map { String(letters[$0..<$0 + 6]) }
  }

  @Test("no six characters of a credential", arguments: Serializer.allCases)
  func losses(serializer: Serializer) {
    for seed in 0..<40 as Range<UInt64> {
      var random = Seeded(seed &* 31 &+ UInt64(serializer.rawValue.count))
      let secrets = (0..<10).map { _ in Self.credential(&random) }
      var packets = Self.talk(serializer, secrets).packets
      // The first time nothing is lost.
      for _ in 0..<(seed == 0 ? 0 : Int.random(in: 1...3, using: &random)) {
        packets.remove(at: Int.random(in: 3..<packets.count, using: &random))
      }
      for output in Self.outputs(packets).map(Self.readable) {
        let shown = secrets.indices.filter { place in
          Self.pieces(of: secrets[place]).contains { output.contains($0) }
        }
        #expect(shown == [], "seed \(seed)")
      }
    }
  }
}
