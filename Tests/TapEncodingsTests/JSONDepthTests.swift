// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTesting
import Testing

@Suite struct JSONDepthTests {
  @Test(arguments: [0, 1, 2, 63, 64, 65, 127, 128, 129, 512])
  func limitIsExact(limit: Int) {
    var scanner = JSONScanner(maximumDepth: limit)
    let fits = nested(Array(repeating: false, count: limit))
    if limit > 0 {
      #expect(scanner.scan(fits.span.bytes) == fits.count)
    } else {
      let scalar = wire("1")
      #expect(scanner.scan(scalar.span.bytes) == 1)
    }
    let tooDeep = nested(Array(repeating: false, count: limit + 1))
    #expect(scanner.scan(tooDeep.span.bytes) == nil)
    #expect(scanner.problem == .tooDeep && scanner.offset == limit)
  }

  /// Which container is open is kept in one bit each: beyond 64 and 128 these are spilled.
  @Test(arguments: [3, 63, 64, 65, 66, 127, 128, 129, 130, 193, 300])
  func everyCloserIsChecked(depth: Int) {
    var random = Seeded(UInt64(depth))
    var scanner = JSONScanner(maximumDepth: 512)
    for _ in 0..<4 {
      let isObject = (0..<depth).map { _ in Bool.random(using: &random) }
      let text = nested(isObject)
      #expect(scanner.scan(text.span.bytes) == text.count)
      #expect(scanner.isArray == !isObject[0])
      for closer in text.count - depth..<text.count {
        var wrong = text
        wrong[closer] = wrong[closer] == 0x5D ? 0x7D : 0x5D
        #expect(scanner.scan(wrong.span.bytes) == nil)
        #expect(scanner.problem == .unexpected && scanner.offset == closer)
        var goesOn = text
        let more = isObject[text.count - closer - 1] ? wire(",\"x\":0") : wire(",0")
        goesOn.insert(contentsOf: more, at: closer)
        #expect(scanner.scan(goesOn.span.bytes) == goesOn.count, "a member behind depth \(closer)")
      }
    }
  }

  /// Down and up again, many times across the border of a word.
  @Test func siblingsAcrossTheSpill() {
    var scanner = JSONScanner(maximumDepth: 512)
    for outer in [60, 63, 64, 65, 126, 128] {
      let sibling = String(decoding: nested([true, false, true, false]), as: Unicode.UTF8.self)
      let siblings = Array(repeating: sibling, count: 3).joined(separator: ",")
      let open = (0..<outer).map { $0 % 2 == 0 ? "[" : "{\"k\":" }.joined()
      let inner = outer % 2 == 1 ? siblings : "[\(siblings)]"
      let close = (0..<outer).reversed().map { $0 % 2 == 0 ? "]" : "}" }.joined()
      let text = Array((open + inner + close).utf8)
      #expect(scanner.scan(text.span.bytes) == text.count, "\(outer)")
      #expect(scanner.elements.count == 1)
    }
  }

  private func nested(_ isObject: [Bool]) -> [UInt8] {
    let open = isObject.map { object in
      object ? "{\"k\":" : "["
    }
    let close = isObject.reversed().map { $0 ? "}" : "]" }
    return Array((open.joined() + "7" + close.joined()).utf8)
  }
}
