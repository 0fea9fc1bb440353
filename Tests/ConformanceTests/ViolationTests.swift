// SPDX-License-Identifier: Apache-2.0
import TapInspector
import TapTesting
import TapTraffic
import Testing

/// What sessions break is found, and healthy ones break nothing.
@Suite(.enabled(if: Captures.areThere, "\(Captures.absence)"))
struct ViolationTests {
  private static let capture = "wamp-protocol-violations.pcap"
  /// Its client subscribes to a URI that is none, on purpose.
  private static let invalid = "wamp-authz-errors.pcap"
  private static let errors = Set(
    Guide(inputs: []).findings.filter { $0.severities == [.error] }.map(\.code.name))

  @Test func eachCaseOfTheRecordIsFound() throws {
    let found = Set(try Decoded(capture: Self.capture).findings)
    let cases = [
      "decode-failed", "not-a-list", "empty-list", "bad-type-code", "wrong-arity", "uri-invalid",
      "message-before-hello", "hello-twice", "wrong-direction", "yield-unknown-invocation",
      "id-float", "id-out-of-range", "not-strict-json",
    ]
    #expect(cases.filter { !found.contains("wamp." + $0) } == [])
  }

  @Test func invalidURI() throws {
    #expect(try Decoded(capture: Self.invalid).findings.contains("wamp.uri-invalid"))
  }

  @Test(arguments: Covered.all.filter { $0.file != capture && $0.file != invalid })
  func healthySessionsHaveNoErrors(_ capture: Covered.Capture) throws {
    #expect(Self.errors.count > 30)
    let found = try Decoded(capture: capture.file).findings.filter { $0.hasPrefix("wamp.") }
    #expect(found.filter { Self.errors.contains($0) } == [])
  }
}
