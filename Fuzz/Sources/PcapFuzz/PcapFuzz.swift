// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapInputs
import TapTraffic

/// PcapInput tells the same however its file is cut.
@_cdecl("PcapFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    for limits in [Limits(), .tight] {
      expectSameForCuts(of: bytes) { PcapInput(input: 0, limits: limits) }
    }
  }
}
