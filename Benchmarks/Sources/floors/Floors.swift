// SPDX-License-Identifier: Apache-2.0
import CAllocations
import TapInspector
import TapTraffic

/// Measures each floor of the stack separately, in this process.
@main struct Floors {
  private static let usage = "usage: floors [--gate THRESHOLDS] FILE"

  static func main() {
    var words = CommandLine.arguments.dropFirst()
    var gate: String?
    var path: String?
    while let word = words.popFirst() {
      if word == "--gate", let value = words.popFirst() {
        gate = value
      } else if path == nil, !word.hasPrefix("-") {
        path = word
      } else {
        fail(usage)
      }
    }
    guard let path else { fail(usage) }
    guard let file = Files.read(path) else { fail("\(path): cannot be read") }
    var thresholds: Thresholds?
    if let gate {
      thresholds = Thresholds(path: gate)
      if thresholds == nil { fail("\(gate): no thresholds in it") }
    }

    let evidence = Evidence(file)
    print("\(path): \(evidence.messages.count) messages, \(file.count / 1_000_000) MB")
    var results: [Result] = []
    for stage in Stage.allCases { results.append(stage.measure(file, evidence)) }
    report(results)
    if let thresholds, !thresholds.hold(for: results) { Files.exit(1) }
  }

  private static func fail(_ text: String) -> Never {
    print(text)
    Files.exit(2)
  }

  private static func report(_ results: [Result]) {
    print(Result.head)
    for result in results { print(result.line) }
    if !bench_counts_allocations() { print("allocations: not counted on this platform") }
  }
}
