// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapInputs
import TapTraffic

/// Exports of every kind tell the same however their file is cut.
@_cdecl("ExportFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    for limits in [Limits(), .tight] {
      expectSameForCuts(of: bytes) { HARInput(input: 0, limits: limits) }
      expectSameForCuts(of: bytes) { MitmproxyFlowInput(input: 0, limits: limits) }
      expectSameForCuts(of: bytes) { NetLogInput(input: 0, limits: limits) }
      expectSameForCuts(of: bytes) { NDJSONInput(input: 0, limits: limits) }
    }
  }
}
