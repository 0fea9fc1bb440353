// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic
import Testing

@testable import TapDialects

/// What servers of Engine.IO answer to requests that they refuse.
@Suite("Refusals of Engine.IO") struct EngineIORefusalTests {
  @Test(arguments: [
    (400, #"{"code":0,"message":"Transport unknown"}"#, "engineio.transport-unknown"),
    (400, #"{"code":1,"message":"Session ID unknown"}"#, "engineio.session-unknown"),
    (400, #"{"code":2,"message":"Bad handshake method"}"#, "engineio.bad-handshake-method"),
    (400, #"{"code":3,"message":"Bad request"}"#, "engineio.bad-request"),
    (403, #"{"code":4,"message":"not today"}"#, "engineio.forbidden"),
    (400, #"{"code":5,"message":"Unsupported protocol version"}"#, "engineio.version-unsupported"),
    (400, #""Invalid transport""#, "engineio.transport-unknown"),
    (400, #""Invalid session lv_VI97HAXpY6yYWAAAC""#, "engineio.session-unknown"),
    (400, #""Invalid session None""#, "engineio.bad-handshake-method"),
    (400, #""http://evil.example is not an accepted origin.""#, "engineio.bad-request"),
    (401, #""Unauthorized""#, "engineio.forbidden"), (401, "", "engineio.forbidden"),
    (413, "", "engineio.body-too-large"),
  ])
  func isNamed(status: Int, body: String, code: String) throws {
    let bytes = Array(body.utf8)
    let read = EngineIORefusal(status: status, bytes.span.bytes)
    let refusal = try #require(read)
    #expect("\(refusal.code.text)" == code)
    #expect(!refusal.text.contains("lv_VI97HAXpY6yYWAAAC"))
  }

  /// What proxies and applications answer says nothing of Engine.IO.
  @Test(arguments: [
    (400, ""), (400, "<html>Bad Request</html>"), (404, "Not Found"), (502, ""),
    (200, #"{"code":1,"message":"Session ID unknown"}"#),
    (400, #"{"code":17,"message":"out of stock"}"#),
  ])
  func isNone(status: Int, body: String) {
    let bytes = Array(body.utf8)
    let refusal = EngineIORefusal(status: status, bytes.span.bytes)
    #expect(refusal == nil)
  }
}
