// SPDX-License-Identifier: Apache-2.0

/// A regular expression as a nondeterministic automaton (Thompson's construction).
struct PatternProgram: Sendable {
  enum Instruction: Sendable {
    /// Matches one byte of a set, then continues with the next instruction.
    case byte(Int)
    /// Continues at both places.
    case fork(Int, Int)
    case jump(Int)
    case start, end, edge, noEdge
    case match
  }

  private(set) var instructions: [Instruction] = []
  private(set) var sets: [ByteSet] = []
  private var setNumbers: [ByteSet: Int] = [:]
  /// Whether it tests for word boundaries.
  private(set) var hasEdges = false
  private let most: Int

  /// - Parameter most: the limit of instructions.
  init(_ node: PatternNode, most: Int) throws(PatternError) {
    self.most = most
    try append(node)
    try append(.match)
  }

  private mutating func append(_ instruction: Instruction) throws(PatternError) {
    if instructions.count >= most {
      throw PatternError("the regular expression is too large: more than \(most) states")
    }
    instructions.append(instruction)
  }

  private mutating func append(_ set: ByteSet) throws(PatternError) {
    let number = setNumbers[set] ?? sets.count
    if number == sets.count {
      sets.append(set)
      setNumbers[set] = number
    }
    try append(.byte(number))
  }

  private mutating func append(_ node: PatternNode) throws(PatternError) {
    switch node {
    case .empty: break
    case .byte(let set): try append(set)
    case .character(let set):
      try append(set)
      let loop = instructions.count
      try append(.fork(loop + 1, loop + 3))
      try append(ByteSet.continuation)
      try append(.jump(loop))
    case .start: try append(Instruction.start)
    case .end: try append(Instruction.end)
    case .edge, .noEdge:
      hasEdges = true
      if case .edge = node { try append(Instruction.edge) } else { try append(Instruction.noEdge) }
    case .sequence(let nodes): for node in nodes { try append(node) }
    case .either(let nodes): try appendEither(nodes[...])
    case .repeated(let node, let least, let most): try appendRepeated(node, least, most)
    }
  }

  private mutating func appendEither(_ nodes: ArraySlice<PatternNode>) throws(PatternError) {
    guard let first = nodes.first else { return }
    if nodes.count == 1 { return try append(first) }
    let fork = instructions.count
    try append(.fork(0, 0))
    try append(first)
    let jump = instructions.count
    try append(.jump(0))
    instructions[fork] = .fork(fork + 1, instructions.count)
    try appendEither(nodes.dropFirst())
    instructions[jump] = .jump(instructions.count)
  }

  private mutating func appendRepeated(
    _ node: PatternNode, _ least: Int, _ most: Int?
  ) throws(PatternError) {
    for _ in 0..<least { try append(node) }
    guard let most else {
      let fork = instructions.count
      try append(.fork(0, 0))
      try append(node)
      try append(.jump(fork))
      instructions[fork] = .fork(fork + 1, instructions.count)
      return
    }
    var forks: [Int] = []
    for _ in least..<most {
      forks.append(instructions.count)
      try append(.fork(0, 0))
      try append(node)
    }
    for fork in forks { instructions[fork] = .fork(fork + 1, instructions.count) }
  }
}
