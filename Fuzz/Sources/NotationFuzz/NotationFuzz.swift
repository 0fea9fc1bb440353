// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingInputs
import TapDumps

/// Byte notations without offsets give the same result however their file is split.
@_cdecl("NotationFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(
    count, arguments,
    inputs: [
      { CArrayInput(anyKind, limits: $0) },
      { EscapedInput(anyKind, limits: $0) },
      { HexInput(anyKind, limits: $0) },
      { Base64Input(anyKind, limits: $0) },
      { FramesInput(anyKind, limits: $0) },
    ])
}
