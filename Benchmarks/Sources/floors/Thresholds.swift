// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings

/// The limits of allocations per message for each floor; floors without a limit are not checked.
struct Thresholds {
  private var most: [String: Double] = [:]

  /// Reads an object of names and numbers.
  init?(path: String) {
    guard let file = Files.read(path) else { return nil }
    guard let start = file.firstIndex(of: UInt8(ascii: "{")) else { return nil }
    let bytes = file.span.bytes
    var at = start + 1
    while let member = JSON.next(bytes, &at, inObject: true) {
      let name = String(decoding: file[member.key.start..<member.key.end], as: Unicode.UTF8.self)
      let value = String(
        decoding: file[member.value.range.start..<member.value.range.end], as: Unicode.UTF8.self)
      guard let number = Double(value) else { return nil }
      most[name] = number
    }
    if most.isEmpty { return nil }
  }

  /// Reports the floors that exceed their limit.
  func hold(for results: [Result]) -> Bool {
    var holds = true
    for result in results {
      guard let limit = most[result.name] else { continue }
      guard let found = result.allocationsPerMessage, found > limit else { continue }
      holds = false
      print(
        "\(result.name): \(Result.fixed(found, 4)) allocations per message,",
        "more than \(Result.fixed(limit, 4))")
    }
    return holds
  }
}
