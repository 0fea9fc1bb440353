// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic
import Testing

@testable import TapDialects

/// Messages of bytes between a notebook and its kernel.
@Suite("Parts of Jupyter") struct JupyterPartsTests {
  private static let parts = ["shell", #"{"msg_id":"a1"}"#, "{}", "{}", #"{"code":"1"}"#]

  private static func message(_ parts: [String], count: Int? = nil) -> [UInt8] {
    let offsets = parts.count + 1
    var numbers = [count ?? offsets]
    var at = (offsets + 1) * 8
    for part in parts + [""] {
      numbers.append(at)
      at += part.utf8.count
    }
    let head = numbers.flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: UInt64(bitPattern: Int64(number)) >> ($0 * 8)) }
    }
    return head + parts.joined().utf8
  }

  private static func text(of bytes: [UInt8]) -> String? {
    var scanner = JSONScanner(maximumDepth: 64)
    var text = Scratch()
    guard JupyterParts.append(bytes.span.bytes, .toClient, &scanner, &text) else { return nil }
    return String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
  }

  @Test("are reported as the text that says the same") func reported() {
    let head = #"{"channel":"shell","header":{"msg_id":"a1"},"parent_header":{},"#
    let rest = #""metadata":{},"content":{"code":"1"},"buffers":["#
    #expect(Self.text(of: Self.message(Self.parts)) == head + rest + "]}")
    #expect(
      Self.text(of: Self.message(Self.parts + ["abc", ""]))
        == head + rest + #""<3 bytes>","<0 bytes>"]}"#)
  }

  @Test("say nothing that no part says") func wrong() {
    let good = Self.message(Self.parts)
    for count in 0..<good.count { #expect(Self.text(of: Array(good[..<count])) == nil) }
    #expect(Self.text(of: good + [0]) == nil)
    for count in [-1, 0, 1, 5, 7, 1 << 40] {
      #expect(Self.text(of: Self.message(Self.parts, count: count)) == nil, "\(count)")
    }
    let parts = [
      (0, ""), (0, "a b"), (0, #"x","y":""#), (1, #"{},"content":{}"#), (2, "[]"), (3, "null"),
      (4, ""), (4, #"{"a":NaN}"#), (4, "{} {}"),
    ]
    for (place, part) in parts {
      var changed = Self.parts
      changed[place] = part
      #expect(Self.text(of: Self.message(changed)) == nil, "\(part)")
    }
  }

  private static func message(_ text: String, buffers: [String], count: UInt32? = nil) -> [UInt8] {
    let parts = [text] + buffers
    var numbers = [count ?? UInt32(parts.count)]
    var at = UInt32((parts.count + 1) * 4)
    for part in parts {
      numbers.append(at)
      at += UInt32(part.utf8.count)
    }
    let head = numbers.flatMap { number in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
    return head + parts.joined().utf8
  }

  @Test("are, without the subprotocol, the text and its buffers") func buffers() {
    let good = Self.message(#"{"header":{}}"#, buffers: ["abc", ""])
    #expect(Self.text(of: good) == #"{"header":{},"buffers":["<3 bytes>","<0 bytes>"]}"#)
    // The last buffer goes to the end.
    for count in 0..<good.count - 3 { #expect(Self.text(of: Array(good[..<count])) == nil) }
    for count: UInt32 in [0, 1, 2, 4, 1 << 31] {
      let wrong = Self.message(#"{"header":{}}"#, buffers: ["abc", ""], count: count)
      #expect(Self.text(of: wrong) == nil, "\(count)")
    }
    for text in ["", "{}", "[1]", "1", #"{"a":1"#, #"{"a":1} 2"#, #"{"a":1,"buffers":[]}"#] {
      #expect(Self.text(of: Self.message(text, buffers: ["abc"])) == nil, "\(text)")
    }
  }
}
