// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingInputs
import TapLogs

/// Pasted messages give the same result however their file is split.
@_cdecl("PasteFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(
    count, arguments,
    inputs: [
      { PasteInput(input: 0, limits: $0, choice: anyText) }
    ])
}
