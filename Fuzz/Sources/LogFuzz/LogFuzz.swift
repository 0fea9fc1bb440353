// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingInputs
import TapInputs
import TapTraffic

/// Logs tell the same however their file is cut.
@_cdecl("LogFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(
    count, arguments,
    inputs: [
      { LogInput(input: 0, limits: $0) },
      { whole($0) },
    ])
}

/// A log that is there as a whole, so that its beginning tells how its lines are ordered and broken.
private func whole(_ limits: Limits) -> (any Input)? {
  var choice = InputChoice()
  (choice.input, choice.isWhole) = ("log", true)
  let recognition = Inputs.recognise(
    RawSpan(), isAll: true, input: 0, limits: limits, choice: choice)
  guard case .input(let input) = recognition else { return nil }
  return input
}
