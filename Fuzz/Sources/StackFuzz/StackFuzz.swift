// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingDialects
import TapBytes
import TapEvidence
import TapInputs
import TapInspector
import TapRender
import TapTraffic

/// Inputs through the whole stack, into an output that the first byte chooses: nothing crashes, no
/// raw traffic reaches the terminal, and every payload byte is accounted for once.
@_cdecl("StackFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[1...])
    let file = rest.bytes
    var options = Inspector.Options()
    options.limits = mode & 1 == 0 ? .roomy : .tight
    options.showsSecrets = mode & 2 != 0
    let both = BothRenderers(width: mode & 4 == 0 ? nil : 20 + Int(mode >> 3))
    let output = mode >> 3 & 7
    let inspector = Inspector(
      output < 4 ? both : renderer(output, isNarrow: mode & 4 != 0, options.limits), options)
    let engine = Engine(inspector, limits: options.limits, ordersByTime: true)
    guard
      case .input(var input) = Inputs.recognise(
        file, isAll: true, input: 0, limits: options.limits)
    else { return }
    input.receive(file, engine)
    input.finish(engine)
    engine.finish()
    let summary = inspector.summary
    let sum = Fate.allCases.reduce(0) { $0 + summary[$1] }
    if sum != summary[.payloadByte] {
      let fates = Fate.allCases.map { "\($0.name) \(summary[$0])" }.joined(separator: ", ")
      fail("\(summary[.payloadByte]) bytes of payload, but \(fates)")
    }
    if output < 4 {
      inspector.withText { expectNDJSON($0.bytes) }
      both.withLines { expectClean($0.bytes) }
    } else {
      inspector.withText { expectClean($0.bytes) }
    }
  }
}

private func renderer(_ output: UInt8, isNarrow: Bool, _ limits: Limits) -> any Renderer {
  var line = LineRenderer.Options()
  line.width = isNarrow ? 40 : nil
  (line.showsAll, line.showsTree, line.showsFrames, line.showsOctets) = (true, true, true, true)
  line.showsNotes = true
  switch output {
  case 4: return TreeRenderer(line)
  case 5, 6: return Renderers.ladders[Int(output & 1)].make(line, LadderFilter(), limits)
  default:
    var options = StatsRenderer.Options()
    options.limits = limits
    return Renderers.all.compactMap(\.summing)[0](options)
  }
}
