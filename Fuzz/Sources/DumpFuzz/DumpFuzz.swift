// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapInputs
import TapTraffic

/// Dumps with offsets tell the same however their text is cut.
@_cdecl("DumpFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    for limits in [Limits(), .tight] {
      expectSameForCuts(of: bytes) { HexDumpInput(input: 0, limits: limits) }
    }
  }
}
