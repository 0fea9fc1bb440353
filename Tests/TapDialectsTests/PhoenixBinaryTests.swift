// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic
import Testing

@testable import TapDialects

@Suite("Binary messages of Phoenix") struct PhoenixBinaryTests {
  private static func message(_ kind: UInt8, _ texts: [String]) -> [UInt8] {
    let lengths = texts.map { UInt8($0.utf8.count) }
    return [kind] + lengths + Array(texts.joined().utf8) + [1, 2, 3]
  }

  private static func text(of bytes: [UInt8], _ direction: Direction) -> String? {
    var scanner = JSONScanner(maximumDepth: 64)
    var text = Scratch()
    guard PhoenixBinary.append(bytes.span.bytes, direction, &scanner, &text) else { return nil }
    return String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
  }

  static let forms: [(kind: UInt8, direction: Direction, texts: [String], text: String)] = [
    (0, .toServer, ["3", "4", "room:2", "up"], #"["3","4","room:2","up",{"base64":"AQID"}]"#),
    (0, .toServer, ["", "4", "é\"", "up"], #"[null,"4","é\"","up",{"base64":"AQID"}]"#),
    (0, .toClient, ["3", "room:2", "up"], #"["3",null,"room:2","up",{"base64":"AQID"}]"#),
    (
      1, .toClient, ["3", "4", "room:2", "ok"],
      #"["3","4","room:2","phx_reply",{"status":"ok","response":{"base64":"AQID"}}]"#
    ),
    (2, .toClient, ["room:2", "up"], #"[null,null,"room:2","up",{"base64":"AQID"}]"#),
  ]

  @Test("are reported as the list that says the same", arguments: forms)
  func reported(
    _ kind: UInt8, _ direction: Direction, _ texts: [String], _ text: String
  ) {
    let bytes = Self.message(kind, texts)
    #expect(Self.text(of: bytes, direction) == text)
    // Without all of its texts, it is none.
    for end in 0..<bytes.count - 3 {
      #expect(Self.text(of: Array(bytes[..<end]), direction) == nil)
    }
  }

  @Test(
    "what is no such message is left alone",
    arguments: [
      [], [3, 1, 1, 97, 97], [2, 1, 1, 255, 97], [2, 0, 0], [2, 1, 0, 97], [2, 0, 1, 97],
      [1, 0, 0, 0, 0],
    ] as [[UInt8]])
  func other(_ bytes: [UInt8]) { #expect(Self.text(of: bytes, .toClient) == nil) }

  @Test("of a server are not sent by a client", arguments: forms.dropFirst(3))
  func turned(_ kind: UInt8, _ direction: Direction, _ texts: [String], _ text: String) {
    #expect(Self.text(of: Self.message(kind, texts), .toServer) == nil)
  }
}
