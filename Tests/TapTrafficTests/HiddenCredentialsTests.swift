// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

/// Names of credentials of which pieces were not captured.
@Suite struct HiddenCredentialsTests {
  private static let hidden = HiddenCredentials(.standard, ["authextra", "transport"])

  /// What of a text may be shown.
  private func shown(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard let place = Self.hidden.firstValue(in: bytes.span.bytes) else { return text }
    return String(decoding: bytes[..<place], as: Unicode.UTF8.self)
  }

  @Test(
    "what stands behind one is not shown",
    arguments: [
      // Three bytes can begin an object, or end a key, but not name a credential.
      ("[]···userid\":124}", "[]···userid\":124}"),
      ("[6···wamp.close", "[6···wamp.close"),
      ("{\"pass····\":\"x\"}", "{\"pass···"), ("{\"··ssword\":\"x\"}", "{\"··ssword\":"),
      ("{\"··word\":\"x\"}", "{\"··word\":\"x\"}"), ("{\"p·n\":1}", "{\"p·n\":"),
      ("{\"p·n·:1}", "{\"p·n·"), ("{\"pin··1}", "{\"pin·"), ("{\"pin·:1}", "{\"pin·"),
      ("{\"API-K·y\" :\"x\"}", "{\"API-K·y\" :"), ("x=·in=1", "x=·in="),
      // Enough of them hide a whole name.
      ("[1,·······abc", "[1,····"),
      ("{\"\\u0070·n\":1}", "{\"\\u0070·n\":"), ("{\"pin\":\"x\"}", "{\"pin\":\"x\"}"),
      // Names that only the dialect knows count also where they are whole.
      ("{\"authextra\":{\"x\":1}}", "{\"authextra\":"), ("[\"transport\",1]", "[\"transport\",1]"),
      // A piece of any length is missing, unless it stands in the place of a value.
      ("[\"hello…world\",1]", "[\"hello"), ("[…,{\"a\":…}]", "[…,{\"a\":…}]"),
      ("[\"hello…\",{\"a\":1}]", "[\"hello…\",{\"a\":1}]"), ("{\"…\":\"…\"}", "{\"…\":\"…\"}"),
      ("{\"a…\":\"hunter2\"}", "{\"a"), ("[1,\"wamp…", "[1,\"wamp…"),
      ("no credential", "no credential"), ("", ""),
    ])
  func hides(text: String, shown: String) { #expect(self.shown(text) == shown) }
}
