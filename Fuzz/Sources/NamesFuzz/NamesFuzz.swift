// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import FuzzingDialects
import TapBytes
import TapDialects
import TapNames
import TapTraffic

/// Lines of a names file and messages: after the mode, a subject pattern, the paths of named and of
/// masked values, and a value; then one WAMP message per line. A pattern matches according to its
/// definition, and output is clean.
@_cdecl("NamesFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    let parts = bytes.dropFirst().split(
      separator: 0x0A, maxSplits: 4, omittingEmptySubsequences: false)
    if parts.count < 5 { return }
    let words = parts.prefix(4).map { String(decoding: $0, as: Unicode.UTF8.self) }
    guard let pattern = try? SubjectPattern(words[0]) else { return }
    for line in parts[4].split(separator: 0x0A) { match(words[0], pattern, line) }
    var names = Names()
    if let field = try? FieldPath(words[1]) {
      let named = (value: words[3], name: "its \u{1B}[31mname\n")
      if let rule = try? NameRule([pattern], field, [named]) { names.rules = [rule] }
    }
    if let field = try? FieldPath(words[2]) {
      names.masks = [MaskRule([mode & 32 == 0 ? .any : pattern], [field])]
    }
    if names.isEmpty { return }
    var bench = DialectBench(mode, subprotocol: "wamp.2.json", names: names) {
      WAMPLayer($0, limits: $1)
    }
    bench.sayLines(parts[4])
    bench.finish()
  }
}

/// Compares with a simple implementation of patterns.
private func match(
  _ words: String, _ pattern: SubjectPattern, _ subject: Slice<UnsafeRawBufferPointer>
) {
  let isPrefix = words.hasSuffix("*")
  let wanted = Array(words.utf8).dropLast(isPrefix ? 1 : 0)
    .split(separator: 0x2E, omittingEmptySubsequences: false)
  let parts = subject.split(separator: 0x2E, omittingEmptySubsequences: false)
  func fits(_ index: Int) -> Bool {
    wanted[index].isEmpty ? !parts[index].isEmpty : parts[index].elementsEqual(wanted[index])
  }
  let isMatch: Bool
  if isPrefix {
    let last = wanted.count - 1
    isMatch =
      parts.count > last && (0..<last).allSatisfy(fits)
      && parts[last...].joined(separator: [0x2E]).starts(with: wanted[last])
  } else {
    isMatch = parts.count == wanted.count && parts.indices.allSatisfy(fits)
  }
  lend(UnsafeRawBufferPointer(rebasing: subject)) {
    if pattern.matches($0) != isMatch {
      fail("'\(words)' and '\(String(decoding: subject, as: Unicode.UTF8.self))': not \(isMatch)")
    }
  }
}
