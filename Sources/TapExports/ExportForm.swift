// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// What a reader expects of an export: which values mean something, by the place where they stand.
/// What has no meaning is passed over without being looked at.
protocol ExportForm {
  /// A place in the export. Places form no circles: the depth of what is looked at is bounded.
  associatedtype Node: Equatable

  /// The whole export.
  static var root: Node { get }
  /// What is passed over, with everything in it.
  static var other: Node { get }
  /// The places that members have, by the place of what holds them.
  static var members: [(holder: Node, name: StaticString, member: Node)] { get }

  /// The place of the member of that name.
  static func member(_ key: RawSpan, of node: Node) -> Node
  /// Bytes of a value that are wanted; more are only counted.
  func most(of node: Node) -> Int
}

extension ExportForm {
  static var members: [(holder: Node, name: StaticString, member: Node)] { [] }

  static func member(_ key: RawSpan, of node: Node) -> Node {
    for (holder, name, member) in members where holder == node && key.equals(name) {
      return member
    }
    return other
  }
}
