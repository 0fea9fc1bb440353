// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// Compressed sessions with credentials in every place that has some, of which packets were lost:
/// whatever is shown of the rest, no piece of a credential is.
@Suite("Secrets and losses") struct SecretLossTests {
  private static func talk(_ session: SecretSession) -> Dialogue {
    var talk = Dialogue()
    talk.open(session.subprotocol, extensions: "permessage-deflate")
    var deflaters: [Direction: Deflater] = [:]
    for (direction, message) in session.messages {
      let payload = deflaters[direction, default: Deflater()].message(message)
      talk.frame(direction, rsv: 4, opcode: session.opcode, payload)
    }
    talk.close()
    return talk
  }

  /// All that the program would print of packets, in every form.
  private static func outputs(_ packets: [CaptureBuilder.Timed]) -> [String] {
    var options = LineRenderer.Options()
    (options.showsAll, options.showsTree, options.showsNotes) = (true, true, true)
    (options.showsFrames, options.showsOctets) = (true, true)
    let renderers: [any Renderer] = [
      LineRenderer(LineRenderer.Options()), TreeRenderer(options), NDJSONRenderer(inputs: ["x"]),
      LadderRenderer.text(LineRenderer.Options(), LadderFilter(), Limits()),
    ]
    return renderers.map { renderer in
      let inspector = Inspector(renderer, Inspector.Options())
      let engine = Engine(inspector, limits: Limits())
      engine.receive(packets)
      engine.finish()
      var text = ""
      inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
      return text
    }
  }

  @Test("no six characters of a credential", arguments: SecretSession.Serializer.allCases)
  func losses(serializer: SecretSession.Serializer) {
    for seed in 0..<40 as Range<UInt64> {
      var random = Seeded(seed &* 31 &+ UInt64(serializer.rawValue.count))
      let session = SecretSession(serializer, &random)
      var packets = Self.talk(session).packets
      // The first time nothing is lost.
      for _ in 0..<(seed == 0 ? 0 : Int.random(in: 1...3, using: &random)) {
        packets.remove(at: Int.random(in: 3..<packets.count, using: &random))
      }
      for output in Self.outputs(packets) {
        #expect(session.shown(in: output) == [], "seed \(seed)")
      }
    }
  }

  /// MQTT.js sends each field of CONNECT in a message of its own.
  @Test(
    "a password in a message of its own",
    arguments: [[], [4], [3, 4], [0, 1, 2, 3, 4], [3], [4, 6], [4, 7]])
  func pieces(_ lost: [Int]) {
    var talk = Dialogue()
    talk.open("mqtt", path: "/mqtt")
    let head: [[UInt8]] = [
      [0x10], [35], [0, 4], Array("MQTT".utf8), [4], [0xC2], [0, 60], [0, 4],
    ]
    for field in head { talk.frame(.toServer, opcode: 2, field) }
    for text in ["js-a", "user", "vERYpRIVATE"] {
      if text != "js-a" { talk.frame(.toServer, opcode: 2, [0, UInt8(text.utf8.count)]) }
      talk.frame(.toServer, opcode: 2, Array(text.utf8))
    }
    talk.frame(.toClient, opcode: 2, [0x20, 2, 0, 0])
    talk.close()
    var packets = talk.packets
    for index in lost.reversed() { packets.remove(at: index) }
    for output in Self.outputs(packets) {
      for piece in ["pRIVATE", "705249564154", "70 52 49 56"] {
        #expect(!output.contains(piece), "\(output)")
      }
    }
  }
}
