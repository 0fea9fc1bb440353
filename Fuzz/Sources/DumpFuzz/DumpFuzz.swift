// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingInputs
import TapDumps

/// Dumps with offsets give the same result however their file is split.
@_cdecl("DumpFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(
    count, arguments,
    inputs: [
      { HexDumpInput(anyKind, limits: $0) }
    ])
}
