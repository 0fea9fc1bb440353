// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingInputs
import TapInputs

/// Logs tell the same however their file is cut.
@_cdecl("LogFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(
    count, arguments,
    inputs: [
      { LogInput(input: 0, limits: $0) }
    ])
}
