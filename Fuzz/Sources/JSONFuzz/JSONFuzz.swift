// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapBytes
import TapEncodings

/// The scanner's results for prefixes of a text are consistent, and compact JSON is JSON.
@_cdecl("JSONFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    for depth in [512, 4, 70] { check(bytes, depth: depth) }
  }
}

private func check(_ bytes: UnsafeRawBufferPointer, depth: Int) {
  var whole = JSONScanner(maximumDepth: depth)
  let end = whole.scan(bytes.bytes)
  if (end == nil) != (whole.problem != nil) || whole.offset > bytes.count {
    fail("answers \(end as Int?) and \(whole.problem as JSONScanner.Problem?)")
  }
  let seed = hash(bytes)
  let cuts = [
    Int(seed % UInt64(bytes.count + 1)), min(whole.offset + 1, bytes.count), whole.offset,
  ]
  for cut in cuts {
    lend(UnsafeRawBufferPointer(rebasing: bytes[..<cut])) { beginning in
      var scanner = JSONScanner(maximumDepth: depth)
      scanner.scan(beginning)
      let isFinal = scanner.problem == .unexpected || scanner.problem == .tooDeep
      let isInside = whole.problem != nil && whole.problem != .incomplete && whole.offset < cut
      if (isFinal || isInside)
        && (scanner.problem != whole.problem || scanner.offset != whole.offset)
      {
        fail(
          "the first \(cut) bytes: \(scanner.problem as JSONScanner.Problem?)"
            + " at \(scanner.offset), all: \(whole.problem as JSONScanner.Problem?)"
            + " at \(whole.offset)")
      }
    }
  }
  guard let end, depth == 512 else { return }
  compact(bytes.bytes.extracting(0..<end), whole)
}

private func compact(_ text: RawSpan, _ whole: JSONScanner) {
  var once = TextBuffer(capacity: text.byteCount)
  CompactJSON.append(text, to: &once)
  var scanner = JSONScanner(maximumDepth: 512)
  guard scanner.scan(once.bytes) == once.count else { fail("compact JSON is no JSON") }
  if scanner.hasSpace { fail("compact JSON has space") }
  if scanner.elements.count != whole.elements.count || scanner.isArray != whole.isArray {
    fail("\(whole.elements.count) elements, compact \(scanner.elements.count)")
  }
  var twice = TextBuffer(capacity: text.byteCount)
  CompactJSON.append(once.bytes, to: &twice)
  if !twice.bytes.equals(once.bytes) { fail("compact JSON can be made more compact") }
  for index in 0..<min(whole.elements.count, JSONElements.kept) {
    read(text, whole.elements[index])
  }
  guard whole.isArray else { return }
  var at = (text.firstIndex(of: 0x5B) ?? 0) + 1
  var members = 0
  while let member = JSON.next(text, &at, inObject: false) {
    if members < JSONElements.kept, member.value.range != whole.elements[members].range {
      fail("member \(members) is \(member.value.range), not \(whole.elements[members].range)")
    }
    members += 1
  }
  if members != whole.elements.count { fail("\(members) of \(whole.elements.count) elements") }
}

private func read(_ text: RawSpan, _ element: JSONElement) {
  switch element.kind {
  case .string: _ = JSON.unescaped(text[element.content])
  case .natural: _ = JSON.natural(text, element.range)
  case .number: _ = JSON.integralFloat(text, element.range)
  case .object:
    _ = JSON.value(of: "match", in: element.range, text)
    var at = element.range.start + 1
    let inside = text.extracting(0..<element.range.end)
    while let member = JSON.next(inside, &at, inObject: true) {
      _ = JSON.unescaped(text[member.key])
      read(text, member.value)
    }
  default: break
  }
}
