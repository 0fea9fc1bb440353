// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapBytes
import TapInspector
import TapRender
import TapTesting
import TapTraffic

/// A session with known credentials, damaged and captured with gaps as the orders choose: no output
/// contains six consecutive characters of a credential.
@_cdecl("MaskingFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    var orders = Orders(bytes)
    let mode = orders.next()
    var random = Seeded(UInt64(mode))
    let serializers = SecretSession.Serializer.allCases
    let session = SecretSession(serializers[Int(mode) % serializers.count], &random)
    let output = orders.next()
    let packets = DamagedTalk(session, &orders).packets

    var options = Inspector.Options()
    options.limits = output & 0x80 == 0 ? .roomy : .tight
    let inspector = Inspector(renderer(output, options.limits), options)
    let engine = Engine(inspector, limits: options.limits, ordersByTime: true)
    engine.receive(packets)
    engine.finish()
    var text = ""
    inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    let shown = session.shown(in: text)
    if !shown.isEmpty { fail("\(shown) can be read in \(session.serializer):\n\(text)") }
  }
}

private func renderer(_ output: UInt8, _ limits: Limits) -> any Renderer {
  var line = LineRenderer.Options()
  (line.showsAll, line.showsTree, line.showsFrames, line.showsOctets) = (true, true, true, true)
  line.showsNotes = true
  switch output & 3 {
  case 0: return LineRenderer(LineRenderer.Options())
  case 1: return TreeRenderer(line)
  case 2: return NDJSONRenderer(inputs: ["x"])
  default: return LadderRenderer.text(LineRenderer.Options(), LadderFilter(), limits)
  }
}
