// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTesting
import Testing

@Suite("Batches") struct BatchTests {
  @Test(
    arguments: [
      (.separated, wire("[1]", 0x1E, "[2]", 0x1E), ["[1]", "[2]"], nil, 0),
      (.separated, wire("[1]", 0x18), ["[1]"], nil, 0),
      (.separated, wire("[1]", 0x18, "[2]", 0x1E), ["[1]", "[2]"], nil, 0),
      (.separated, wire("[1]", 0x1E, "[2]"), ["[1]", "[2]"], .unterminated, 7),
      (.separated, wire("[1]", 0x1E, 0x1E, "[2]", 0x1E), ["[1]", "[2]"], .emptyMessage, 4),
      (.separated, wire(), [], .empty, 0), (.separated, wire(0x1E), [], .emptyMessage, 0),
      (.prefixed, wire(0, 0, 0, 2, "ab", 0, 0, 0, 1, "c"), ["ab", "c"], nil, 0),
      (.prefixed, wire(), [], .empty, 0), (.prefixed, wire(0, 0, 0, 0), [], .emptyMessage, 0),
      (.prefixed, wire(0, 0, 0, 0, 0, 0, 0, 1, "c"), ["c"], .emptyMessage, 0),
      (.prefixed, wire(0, 0, 0, 1, "c", 0, 0), ["c"], .incompleteLength, 5),
      (.prefixed, wire(0, 0, 0, 1, "c", 0, 0, 0, 9, "de"), ["c"], .overlong, 5),
      (.prefixed, wire(0, 0, 0, 0, 0, 0, 0, 9, "c"), [], .overlong, 4),
      (.prefixed, wire(255, 255, 255, 255, "c"), [], .overlong, 0),
    ] as [(Batch.Form, [UInt8], [String], Batch.Problem?, Int)])
  func pieces(
    form: Batch.Form, octets: [UInt8], messages: [String], problem: Batch.Problem?, offset: Int
  ) {
    var batch = Batch(form)
    var found: [String] = []
    while let range = batch.next(octets.span.bytes) {
      found.append(String(decoding: octets[range], as: Unicode.UTF8.self))
    }
    #expect(found == messages)
    #expect(batch.problem == problem)
    #expect(batch.problemOffset == offset)
    #expect(batch.count == messages.count)
    #expect(batch.hasOctalSeparator == octets.contains(0x18))
  }
}
