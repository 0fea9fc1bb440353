// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingInputs
import TapEvidence
import TapExports

/// Exports of every kind, and collected logs, give the same result however their file is split.
@_cdecl("ExportFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(
    count, arguments,
    inputs: ExportInputs.all.map { kind in
      { kind.init(anyKind, limits: $0) }
    })
}
