// SPDX-License-Identifier: Apache-2.0
import TapBytes
import Testing

@testable import TapTraffic

/// What an element of SASL carries, and what is none.
@Suite("Elements of SASL") struct SASLElementTests {
  private static let sasl = "xmlns='urn:ietf:params:xml:ns:xmpp-sasl'"

  static let cases: [(text: String, credential: String?)] = [
    ("<auth \(sasl) mechanism='PLAIN'>AGEAYg==</auth>", "AGEAYg=="),
    (" <response \(sasl)>Yz1i</response>", "Yz1i"), ("<auth \(sasl)>AGEA", "AGEA"),
    ("<auth \(sasl) mechanism='EXTERNAL'/>", nil), ("<auth \(sasl)></auth>", nil),
    ("<failure \(sasl)><not-authorized/></failure>", nil), ("<auth \(sasl)", nil),
    ("<a xmlns='urn:ietf:params:xml:ns:xmpp-framing'>b</a>", nil), ("", nil), ("<", nil),
    ("<f><mechanisms \(sasl)><mechanism>PLAIN</mechanism></mechanisms></f>", nil),
    ("auth \(sasl)>b<", nil), ("<:urn:ietf:params:xml:ns:xmpp-sasl>b", "b"),
  ]

  @Test("have text that is a credential", arguments: cases)
  func credential(_ text: String, _ credential: String?) {
    let bytes = Array(text.utf8)
    let found = SASLElement.credential(in: bytes.span.bytes)
    let said = found.map { String(decoding: bytes[$0.start..<$0.end], as: Unicode.UTF8.self) }
    #expect(said == credential)
  }
}
