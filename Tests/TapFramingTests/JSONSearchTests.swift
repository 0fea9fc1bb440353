// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapFraming

/// What is found in streams whose beginning was not captured, and what is not.
@Suite("Searches for JSON") struct JSONSearchTests {
  static let lines: [(text: String, isFound: Bool)] = [
    ("{\"a\":1}\n{\"b\":2}\n", true), (":1}\n\n{\"b\":2}\r\n", true), ("[1]\n{\"b\":2}\n", true),
    ("{\"a\":1}\n", false), ("{\"a\":1}\n{\"b\":2}", false), ("{\"a\":1}\n{\"b\":\n", false),
    ("x\n{\"a\":1}\n{\"b\":2}\n", false), ("x\n{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n", true),
    ("$7\r\n{\"a\":1}\r\n$7\r\n{\"b\":2}\r\n$7\r\n{\"c\":3}\r\n", false),
    ("x: y\r\n\r\n{\"a\":1}\n", false), ("19\r\n{\"a\":1}\n\r\n19\r\n{\"a\":1}\n\r\n", false),
  ]

  @Test("a line is found", arguments: lines)
  func line(_ text: String, _ isFound: Bool) {
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var search = JSONLineSearch(maximumDepth: 64)
      var found = false
      for part in [bytes[..<cut], bytes[cut...]] where !found {
        found = search.append(Array(part).span.bytes)
      }
      #expect(found == isFound, "cut at \(cut)")
    }
  }

  static let segments: [(segments: [String], isFound: Bool)] = [
    (["10:{\"a\":1234}", "10:[1,2,3,45]"], true), (["10:{\"a\":1234}10\n{\"a\":1234}"], true),
    (
      ["Content-Length: 10\r\n\r\n{\"a\":1234}", "x", "content-length:10\r\n\r\n{\"a\":1234}"], true
    ),
    (["10:{\"a\":1234}"], false), (["x10:{\"a\":1234}10:{\"a\":1234}"], false),
    (["10:{\"a\":1234}", "11:{\"a\":1234}", "9:{\"a\":123}"], false),
    (["10:{\"a\":1234}", "Content-Length: 10\r\n\r\n{\"a\":1234}"], false),
    (["10\r\n{\"a\":12345678}\r\n", "10\r\n{\"a\":12345678}\r\n"], false), (["", "1"], false),
  ]

  @Test("lengths are found", arguments: segments)
  func length(_ segments: [String], _ isFound: Bool) {
    var search = JSONLengthSearch(most: 1 << 20)
    let delivery = Delivery(
      Origin(record: 1, flow: 1, direction: .toServer), .stream, edges: [.start, .end])
    let found = segments.contains {
      search.append(Array($0.utf8).span.bytes, delivery)
    }
    #expect(found == isFound)
  }

  static let objects: [(segments: [String], isFound: Bool)] = [
    (["{\"a\":1}{\"b\":2}"], true), (["{\"a\":1}", "{\"b\":2}"], true),
    ([":1}{\"a\":1}", "{\"b\":2}{\"c\":3}"], true), (["{\"a\":1}\0", "{\"b\":2}\0{"], true),
    (["{\"a\":1}"], false), ([":1}{\"a\":1}", "{\"b\":2}"], false),
    (["{\"a\":1}", "x", "{\"b\":2}"], false), (["{\"a\":1},{\"b\":2}"], false),
    (["{\"a\":1}", "POST / HTTP/1.1\r\n\r\n", "{\"b\":2}"], false),
    (["{\"a\":1}\r\n7\r\n", "{\"b\":2}\r\n"], false), (["{}{}"], false), (["{{}}", "{1}"], false),
  ]

  private static let whole = Delivery(
    Origin(record: 1, flow: 1, direction: .toServer), .stream, edges: [.start, .end])

  @Test("objects without line ends are found", arguments: objects)
  func object(_ segments: [String], _ isFound: Bool) {
    var search = JSONObjectSearch(maximumDepth: 64)
    let found = segments.contains { search.append(Array($0.utf8).span.bytes, Self.whole) }
    #expect(found == isFound)
  }

  @Test("what stands before a gap does not count") func gap() {
    var rest = Self.whole
    rest.edges = .end
    var search = JSONObjectSearch(maximumDepth: 64)
    var found: [Bool] = []
    for (delivery, isMissed) in [
      (Self.whole, true), (Self.whole, false), (rest, false), (Self.whole, false),
      (Self.whole, false),
    ] {
      found.append(search.append(Array("{\"a\":1}".utf8).span.bytes, delivery))
      if isMissed { search.miss() }
    }
    #expect(found == [false, false, false, false, true])
  }
}
