// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingInputs
import TapInputs

/// Bytes written without offsets tell the same however their file is cut.
@_cdecl("NotationFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(
    count, arguments,
    inputs: [
      { CArrayInput(input: 0, limits: $0) },
      { EscapedInput(input: 0, limits: $0) },
      { HexInput(input: 0, limits: $0) },
      { Base64Input(input: 0, limits: $0) },
      { FramesInput(input: 0, limits: $0) },
    ])
}
