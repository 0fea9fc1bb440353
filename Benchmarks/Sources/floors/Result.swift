// SPDX-License-Identifier: Apache-2.0
import CAllocations

/// The result of one floor.
struct Result {
  var name: String
  var messages: Int
  /// The size of the floor's input in bytes.
  var bytes: Int
  var nanoseconds: Double
  /// Over the second half of the input, when all tables have grown; for the whole stack, over the
  /// third quarter, when no session ends. Nil when not counted.
  var allocationsPerMessage: Double?
  var allocatedBytesPerMessage: Double?

  static let head =
    pad("", 22) + ["ns/msg", "MB/s", "allocs/msg", "bytes/msg"].map { right($0, 12) }.joined()

  var line: String {
    let figures = [
      Self.fixed(nanoseconds / Double(max(messages, 1)), 1),
      Self.fixed(Double(bytes) * 1000 / max(nanoseconds, 1), 0),
      allocationsPerMessage.map { Self.fixed($0, 4) } ?? "not counted",
      allocatedBytesPerMessage.map { Self.fixed($0, 1) } ?? "",
    ]
    return Self.pad(name, 22) + figures.map { Self.right($0, 12) }.joined()
  }

  static func fixed(_ value: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    var digits = String(Int((value * scale).rounded()))
    if places == 0 { return digits }
    while digits.count <= places { digits = "0" + digits }
    return digits.dropLast(places) + "." + digits.suffix(places)
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.count, 0)) + text
  }
}

/// Measures time and allocations from its creation on.
struct Meter {
  private let time = Files.now()
  private let allocated = bench_allocated()
  private var middle: (messages: Int, allocated: bench_allocations)?
  private var stop: (messages: Int, allocated: bench_allocations)?

  /// Called at half of the input.
  mutating func halve(_ messages: Int) {
    if middle == nil { middle = (messages, bench_allocated()) }
  }

  /// Ends the counting of allocations.
  mutating func end(_ messages: Int) { stop = (messages, bench_allocated()) }

  func result(_ name: String, messages: Int, bytes: Int) -> Result {
    let elapsed = Files.now() - time
    let (counted, end) = stop ?? (messages, bench_allocated())
    var result = Result(name: name, messages: messages, bytes: bytes, nanoseconds: elapsed)
    if bench_counts_allocations() {
      let start = middle ?? (0, allocated)
      let reported = Double(max(counted - start.messages, 1))
      result.allocationsPerMessage = Double(end.count - start.allocated.count) / reported
      result.allocatedBytesPerMessage = Double(end.bytes - start.allocated.bytes) / reported
    }
    return result
  }
}
