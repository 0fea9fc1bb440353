// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapInputs
import TapTraffic

/// Bytes written without offsets tell the same however their text is cut.
@_cdecl("NotationFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    for limits in [Limits(), .tight] {
      expectSameForCuts(of: bytes) { CArrayInput(input: 0, limits: limits) }
      expectSameForCuts(of: bytes) { EscapedInput(input: 0, limits: limits) }
      expectSameForCuts(of: bytes) { HexInput(input: 0, limits: limits) }
      expectSameForCuts(of: bytes) { Base64Input(input: 0, limits: limits) }
      expectSameForCuts(of: bytes) { FramesInput(input: 0, limits: limits) }
    }
  }
}
