// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingInputs
import TapCaptures
import TapEvidence

/// pcapng files give the same result however they are split.
@_cdecl("PcapngFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(
    count, arguments,
    inputs: [
      { PcapngInput(Place(input: 0), limits: $0) }
    ])
}
