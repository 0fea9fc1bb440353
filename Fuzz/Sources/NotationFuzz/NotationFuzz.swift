// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingInputs
import TapDumps
import TapEvidence

/// Byte notations without offsets give the same result however their file is split.
@_cdecl("NotationFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(
    count, arguments,
    inputs: (Notations.inputs + [FramesInput.self]).map { kind in
      { kind.init(anyKind, limits: $0) }
    })
}
