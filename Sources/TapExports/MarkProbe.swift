// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Recognises a kind of export by its marks (`JSONExport.marks`).
struct MarkProbe<Kind: JSONExport>: JSONForm {
  enum Node: Equatable {
    case root, outer(Int), mark, other
  }

  static var root: Node { .root }
  static var other: Node { .other }

  /// Whether a text that begins with `head` is of this kind.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    var stream = JSONStream<Self>()
    var probe = Self()
    stream.receive(head, &probe, NullSink())
    if probe.isSeen { return .yes }
    if stream.damage != nil || stream.isWhole || !probe.isObject { return .no }
    return isAll ? .no : .undecided
  }

  private var isSeen = false
  /// Whether the text is an object, as far as can be told.
  private var isObject = true

  static func member(_ key: RawSpan, of node: Node) -> Node {
    switch node {
    case .root:
      Kind.marks.firstIndex { key.equals($0.outer) }.map { .outer($0) } ?? .other
    case .outer(let index):
      Kind.marks.contains {
        $0.outer.description == Kind.marks[index].outer.description && key.equals($0.inner)
      } ? .mark : .other
    case .mark, .other: .other
    }
  }

  static func element(of node: Node) -> Node { .other }

  func most(of node: Node) -> Int { 0 }

  mutating func begin(_ node: Node, at offset: UInt64, _: any EvidenceSink) {
    if node == .mark { isSeen = true }
  }

  mutating func scalar(_: RawSpan, _: JSONScalar, _ node: Node, _: any EvidenceSink) {
    if node == .mark { isSeen = true }
    if node == .root { isObject = false }
  }
}
