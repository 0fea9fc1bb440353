// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapInputs
import TapTraffic

/// LogInput tells the same however its file is cut.
@_cdecl("LogFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    for limits in [Limits(), .tight] {
      expectSameForCuts(of: bytes) { LogInput(input: 0, limits: limits) }
    }
  }
}
