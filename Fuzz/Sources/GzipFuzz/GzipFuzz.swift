// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingInputs
import TapCaptures

/// Compressed captures give the same result however their file is split.
@_cdecl("GzipFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(
    count, arguments,
    inputs: [
      { GzipInput(anyKind, limits: $0) }
    ])
}
