// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// A protocol table, compiled for reading: paths with the same beginning share it, so that each
/// object of a message is walked once, and kinds are found by the first bytes of their value. Made
/// once per table.
final class JSONProtocolPlan: Sendable {
  /// A value of a message at, or on the way to, a path.
  struct Node: Sendable {
    var parent: Int
    /// The key of a member.
    var key: [UInt8] = []
    /// The index of a list element.
    var element: Int?
    /// The nodes inside this one.
    var children = 0..<0
  }

  /// The compiled form of a path.
  struct Target: BitwiseCopyable {
    var node: UInt8
    /// The rest of the path after that node, an index of `tails`; 0 for none.
    var tail: UInt8
  }

  /// Alternatives: the first present one counts.
  typealias Targets = ContiguousArray<Target>

  /// The table's entry for a kind, without reference-counted members.
  struct Kind: BitwiseCopyable {
    /// The first eight bytes of its value.
    var word: UInt64
    var value: Symbol
    var name: Symbol
    var nameWithoutID: Symbol?
    var idWord: Symbol
    /// Keeps ids that have another word apart; 0 for the usual word.
    var idSalt: UInt64
    var role: JSONKind.Role
    var direction: Direction
    var (isDistinctive, isFailure): (Bool, Bool)
    /// The server must send a certain message first.
    var isToWait: Bool
    var (subject, payload): (Target?, Target?)
    var failure: (Target?, Target?)
    var success: Target?
    var marks: (Target?, Target?)
    /// It is distinctive only where it has no other members than its kind and its mark.
    var isOfTwoMembers = false
    /// For lists: the number of elements, 0 for any; and the allowed kinds of each, as bits.
    var elements: Int
    var elementKinds: SIMD8<UInt16>
  }

  struct Location: BitwiseCopyable {
    var target: Target
    /// The kind is the first member there that is a kind, otherwise the value.
    var isByMember: Bool
  }

  let table: JSONProtocol
  /// The first is the message itself; the children of a node are consecutive.
  let nodes: ContiguousArray<Node>
  /// The first eight bytes of each node's key.
  let words: ContiguousArray<UInt64>
  let tails: [JSONPath]
  let kindAt: ContiguousArray<Location>
  let kinds: ContiguousArray<Kind>
  let (other, fallback): (Kind?, Kind?)
  let (ids, answers, subjects): (Targets, Targets, Targets)
  let (payloads, reasons): (Targets, Targets)
  let (secrets, secretsAbout, urls): (Targets, Targets, Targets)
  let (scope, streams, explanation): (Target?, Target?, Target?)
  let unscoped: (target: Target, value: StaticString)?
  /// The places of the table's `namedSecrets`.
  let namedSecrets: Targets

  init(_ table: JSONProtocol) {
    self.table = table
    var tree = Tree(table)
    func target(_ path: JSONPath) -> Target { tree.target(of: path) }
    func kind(_ kind: JSONKind) -> Kind { Kind(kind, table, target) }
    kindAt = ContiguousArray(
      table.kindAt.map {
        switch $0 {
        case .value(let path): Location(target: target(path), isByMember: false)
        case .member(let path): Location(target: target(path), isByMember: true)
        }
      })
    kinds = ContiguousArray(table.kinds.map(kind))
    (other, fallback) = (table.other.map(kind), table.fallback.map(kind))
    func targets(_ paths: [JSONPath]) -> Targets { Targets(paths.map(target)) }
    (ids, answers, subjects) = (targets(table.ids), targets(table.answers), targets(table.subjects))
    (payloads, reasons) = (targets(table.payloads), targets(table.reasons))
    (secrets, secretsAbout) = (targets(table.secrets), targets(table.secretsAbout.paths))
    urls = targets(table.urls)
    (scope, streams) = (table.scope.map(target), table.streams.map(target))
    explanation = table.explanation.map(target)
    unscoped = table.unscoped.map { (target($0.path), $0.value) }
    namedSecrets = targets(table.namedSecrets.map(\.place))
    (nodes, tails) = (tree.nodes, tree.tails)
    words = ContiguousArray(
      tree.nodes.map { $0.key.span.bytes.beginning(of: ByteRange(0, $0.key.count)) })
  }
}

extension JSONProtocolPlan.Kind {
  fileprivate init(
    _ kind: JSONKind, _ table: JSONProtocol, _ target: (JSONPath) -> JSONProtocolPlan.Target
  ) {
    (value, name, nameWithoutID) = (kind.value, kind.name, kind.nameWithoutID)
    (word, idWord, role) = (kind.value.beginning, kind.idWord ?? table.idWord, kind.role)
    (direction, idSalt) = (kind.direction, kind.idWord?.beginning ?? 0)
    isToWait = kind.after != nil
    (subject, payload) = (kind.subject.map(target), kind.payload.map(target))
    switch kind.failure {
    case .never: (isFailure, failure, success) = (false, (nil, nil), nil)
    case .always: (isFailure, failure, success) = (true, (nil, nil), nil)
    case .ifPresent(let paths):
      precondition(paths.count <= 2)
      let targets = paths.map(target)
      (isFailure, failure, success) = (false, (targets.first, targets.dropFirst().first), nil)
    case .ifFalse(let path): (isFailure, failure, success) = (false, (nil, nil), target(path))
    }
    switch kind.distinction {
    case .byNothing: (isDistinctive, marks) = (false, (nil, nil))
    case .byKind: (isDistinctive, marks) = (true, (nil, nil))
    case .byMembers(let paths):
      precondition(paths.count <= 2)
      let targets = paths.map(target)
      (isDistinctive, marks) = (true, (targets.first, targets.dropFirst().first))
    case .byMemberAlone(let path):
      (isDistinctive, marks, isOfTwoMembers) = (true, (target(path), nil), true)
    }
    precondition(kind.elements.count <= JSONElements.kept)
    (elements, elementKinds) = (kind.elements.count, SIMD8(repeating: .max))
    for (index, element) in kind.elements.enumerated() where !element.kinds.isEmpty {
      elementKinds[index] = element.kinds.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
    }
  }
}

/// The nodes of all paths of a table.
private struct Tree {
  typealias Step = JSONPath.Step

  private(set) var nodes: ContiguousArray<JSONProtocolPlan.Node> = [.init(parent: 0)]
  /// The first is empty.
  private(set) var tails: [JSONPath] = [JSONPath("")]
  /// The index of each node, by the steps that lead to it.
  private var indices: [[Step]: Int] = [[]: 0]

  init(_ table: JSONProtocol) {
    let kinds = table.kinds + [table.other, table.fallback].compactMap { $0 }
    var paths = table.ids + table.answers + table.subjects + table.payloads + table.reasons
    paths += table.secrets + table.urls + table.secretsAbout.paths
    paths += table.namedSecrets.map(\.place)
    paths += [table.scope, table.streams, table.explanation, table.unscoped?.path].compactMap { $0 }
    paths += kinds.flatMap {
      var paths = [$0.subject, $0.payload].compactMap { $0 }
      switch $0.failure {
      case .ifPresent(let values): paths += values
      case .ifFalse(let path): paths.append(path)
      case .never, .always: break
      }
      switch $0.distinction {
      case .byMembers(let marks): paths += marks
      case .byMemberAlone(let mark): paths.append(mark)
      case .byNothing, .byKind: break
      }
      return paths
    }
    paths += table.kindAt.map {
      switch $0 {
      case .value(let path), .member(let path): path
      }
    }
    var level: [[Step]] = [[]]
    while !level.isEmpty {
      var next: [[Step]] = []
      for parent in level {
        let (index, first) = (indices[parent] ?? 0, nodes.count)
        for path in paths {
          let steps = Self.nodeSteps(of: path)
          guard steps.count > parent.count, steps.starts(with: parent) else { continue }
          let child = Array(steps.prefix(parent.count + 1))
          if indices[child] != nil { continue }
          indices[child] = nodes.count
          nodes.append(Self.node(child[parent.count], in: index))
          next.append(child)
        }
        nodes[index].children = first..<nodes.count
      }
      level = next
    }
    precondition(nodes.count <= 64)
  }

  mutating func target(of path: JSONPath) -> JSONProtocolPlan.Target {
    let steps = Self.nodeSteps(of: path)
    let rest = path.steps[steps.count...]
    if !rest.isEmpty { tails.append(JSONPath(rest)) }
    return JSONProtocolPlan.Target(
      node: UInt8(indices[Array(steps)] ?? 0), tail: rest.isEmpty ? 0 : UInt8(tails.count - 1))
  }

  /// The longest path to a node. Deeper paths of a names file are walked for each message.
  private static let mostSteps = 4

  /// The leading steps that become nodes: keys, and the elements of the message itself.
  private static func nodeSteps(of path: JSONPath) -> ArraySlice<Step> {
    let end = path.steps.enumerated().first { index, step in
      switch step {
      case .key: index == mostSteps
      case .element: index > 0
      case .inside, .field: true
      }
    }
    return path.steps[..<(end?.offset ?? path.steps.count)]
  }

  private static func node(_ step: Step, in parent: Int) -> JSONProtocolPlan.Node {
    switch step {
    case .key(let key), .inside(let key):
      .init(parent: parent, key: key)
    case .element(let index): .init(parent: parent, element: index)
    case .field: .init(parent: parent)
    }
  }
}
