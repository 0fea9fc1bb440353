// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// The body of a packet of Socket.IO, `{"namespace":"/","data":…}`, and its id.
struct NDJSONPacket: JSONForm {
  enum Node {
    case root, namespace, query, data, ack, other
  }

  static var root: Node { .root }
  static var other: Node { .other }
  static let members: [(holder: Node, name: StaticString, member: Node)] = [
    (.root, "namespace", .namespace), (.root, "query", .query), (.root, "data", .data),
    (.root, "ack", .ack),
  ]

  private(set) var namespace: [UInt8] = []
  private(set) var query: [UInt8] = []
  /// As it is written.
  private(set) var data = Scratch()
  private(set) var ack: Int64?
  private let limit: Int

  init(_ body: RawSpan, ids: RawSpan, limit: Int) {
    self.limit = limit
    for text in [body.copied(), ids.copied()] where !text.isEmpty {
      var stream = JSONStream<NDJSONPacket>()
      stream.receive(text.span.bytes, &self, NullSink())
    }
  }

  static func element(of node: Node) -> Node { .other }

  func most(of node: Node) -> Int { limit }

  func isKept(_ node: Node) -> Bool { node == .data }

  mutating func scalar(_ bytes: RawSpan, _ value: JSONScalar, _ node: Node, _: any EvidenceSink) {
    switch node {
    case .namespace: namespace = value.text(bytes) ?? []
    case .query: query = value.text(bytes) ?? []
    case .data: data.append(bytes)
    case .ack: ack = value.integer(bytes)
    case .root, .other: break
    }
  }
}
