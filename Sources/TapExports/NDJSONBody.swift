// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// What the `body` or `raw` of a message stands for, where it is no message itself: a text as a
/// string, bytes as `{"base64":…}`, or a CLOSE as `{"code":…,"reason":…}`.
struct NDJSONBody: JSONForm {
  enum Node {
    case root, base64, code, reason, other
  }

  static var root: Node { .root }
  static var other: Node { .other }

  private(set) var text: [UInt8]?
  private(set) var octets: [UInt8]?
  private(set) var code: UInt16?
  private(set) var reason: [UInt8] = []
  private let limit: Int

  /// Reads a value as it is written.
  init(_ value: RawSpan, limit: Int) {
    self.limit = limit
    var stream = JSONStream<NDJSONBody>()
    stream.receive(value, &self, NullSink())
  }

  /// The payload of a CLOSE frame (RFC 6455 §5.5.1).
  var closePayload: [UInt8] {
    code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] + reason } ?? []
  }

  static func member(_ key: RawSpan, of node: Node) -> Node {
    guard node == .root else { return .other }
    if key.equals("base64") { return .base64 }
    if key.equals("code") { return .code }
    return key.equals("reason") ? .reason : .other
  }

  static func element(of node: Node) -> Node { .other }

  func most(of node: Node) -> Int { node == .base64 ? limit / 3 * 4 + 4 : limit }

  mutating func scalar(_ bytes: RawSpan, _ value: JSONScalar, _ node: Node, _: any EvidenceSink) {
    switch node {
    case .root: text = value.text(bytes)
    case .base64 where value.isWhole(bytes):
      var decoded = Scratch()
      if Base64.decode(bytes, into: &decoded) == nil { octets = decoded.bytes.copied() }
    case .code: code = value.integer(bytes).flatMap { UInt16(exactly: $0) }
    case .reason: reason = value.text(bytes) ?? []
    default: break
    }
  }
}
