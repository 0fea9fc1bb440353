// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapBytes
import TapInputs
import TapInspector
import TapTraffic

/// A file of evidence through the whole stack: nothing crashes, nothing of the wire reaches the
/// terminal raw, and every byte of payload has one fate.
@_cdecl("StackFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    // Octets that mean nothing in a pcap file choose the bounds and the width.
    let mode = bytes.count > 8 ? bytes[8] : 0
    var options = Inspector.Options()
    options.limits = mode & 1 == 0 ? Limits() : .tight
    options.showsSecrets = mode & 2 != 0
    let renderer = BothRenderers(width: mode & 4 == 0 ? nil : 20 + Int(mode >> 3))
    let inspector = Inspector(renderer, options)
    let ground = Ground(inspector, limits: options.limits)
    guard
      case .input(var input) = Inputs.recognise(
        bytes.bytes, isAll: true, input: 0, limits: options.limits)
    else { return }
    input.receive(bytes.bytes, ground)
    input.finish(ground)
    ground.finish()
    let summary = inspector.summary
    let sum = Fate.allCases.reduce(0) { $0 + summary[$1] }
    if sum != summary[.payloadByte] {
      let fates = Fate.allCases.map { "\($0.name) \(summary[$0])" }.joined(separator: ", ")
      fail("\(summary[.payloadByte]) bytes of payload, but \(fates)")
    }
    inspector.withText { expectNDJSON($0.bytes) }
    renderer.withLines { expectClean($0.bytes) }
  }
}
