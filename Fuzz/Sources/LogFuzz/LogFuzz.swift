// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingInputs
import TapEvidence
import TapInputs
import TapTraffic

/// Logs give the same result however their file is split.
@_cdecl("LogFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(
    count, arguments,
    inputs: [
      { log($0, isWhole: false) },
      // The complete log, whose beginning shows the order and the breaks of its lines.
      { log($0, isWhole: true) },
    ])
}

private func log(_ limits: Limits, isWhole: Bool) -> (any Input)? {
  var choice = anyText
  (choice.input, choice.isWhole) = ("log", isWhole)
  let recognition = Inputs.recognise(
    RawSpan(), isAll: true, input: 0, limits: limits, choice: choice)
  guard case .input(let input) = recognition else { return nil }
  return input
}
