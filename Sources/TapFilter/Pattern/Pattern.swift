// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// A regular expression. Matching takes time proportional to the text, whatever the text and the
/// expression: states of the automaton are made on demand, and kept while there is room.
public final class Pattern {
  /// The limit of kept states; beyond it they are made anew.
  private static let mostStates = 256
  /// The limit of instructions per expression.
  static let mostInstructions = 1000

  /// A state of the automaton before a byte.
  private struct State: Hashable {
    /// Positions in the program, ascending.
    var places: [Int32]
    var isAtStart: Bool
    /// The previous byte is a word character.
    var isBehindWord: Bool
  }

  private static let unknown: Int16 = -1
  private static let matched: Int16 = -2

  private let program: PatternProgram
  /// The class of each byte; bytes that the program does not distinguish share one.
  private let classes: [UInt8]
  private let classCount: Int
  private var states: [State] = []
  private var numbers: [State: Int16] = [:]
  /// The next state by state and class; the last entry of each state is for the end of the text.
  private var next: ContiguousArray<Int16> = []

  init(_ bytes: [UInt8], ignoresCase: Bool) throws(PatternError) {
    let node = try PatternReader.read(bytes, ignoresCase: ignoresCase)
    program = try PatternProgram(node, most: Self.mostInstructions)
    var known: [[Bool]: UInt8] = [:]
    var classes: [UInt8] = []
    let sets = program.sets + (program.hasEdges ? [ByteSet.word] : [])
    for byte in UInt8.min...UInt8.max {
      let traits = sets.map { $0.contains(byte) }
      let number = known[traits] ?? UInt8(known.count)
      known[traits] = number
      classes.append(number)
    }
    (self.classes, classCount) = (classes, known.count)
    begin()
  }

  /// Whether it matches anywhere in the text.
  public func matches(_ text: RawSpan) -> Bool {
    var state = 0
    let width = classCount + 1
    for at in 0..<text.byteCount {
      let byte = text.byte(at: at)
      var found = next[state * width + Int(classes[Int(byte)])]
      if found == Self.unknown { found = step(state, byte) }
      if found == Self.matched { return true }
      state = Int(found)
    }
    let last = next[state * width + classCount]
    return (last == Self.unknown ? step(state, nil) : last) == Self.matched
  }

  private func begin() {
    states.removeAll()
    numbers.removeAll()
    next.removeAll()
    _ = number(of: State(places: [0], isAtStart: true, isBehindWord: false))
  }

  private func number(of state: State) -> Int16 {
    if let known = numbers[state] { return known }
    let number = Int16(states.count)
    states.append(state)
    numbers[state] = number
    for _ in 0...classCount { next.append(Self.unknown) }
    return number
  }

  /// The state after a byte, or after the end of the text.
  private func step(_ number: Int, _ byte: UInt8?) -> Int16 {
    let state = states[number]
    let isBeforeWord = byte.map { ByteSet.word.contains($0) } ?? false
    let isEdge = isBeforeWord != state.isBehindWord
    var open = state.places
    var seen = [Bool](repeating: false, count: program.instructions.count)
    var behind: Set<Int32> = [0]
    var isMatched = false
    while let place = open.popLast() {
      let at = Int(place)
      if seen[at] { continue }
      seen[at] = true
      switch program.instructions[at] {
      case .byte(let set):
        if let byte, program.sets[set].contains(byte) { behind.insert(place + 1) }
      case .fork(let first, let second):
        open.append(Int32(first))
        open.append(Int32(second))
      case .jump(let target): open.append(Int32(target))
      case .start: if state.isAtStart { open.append(place + 1) }
      case .end: if byte == nil { open.append(place + 1) }
      case .edge: if isEdge { open.append(place + 1) }
      case .noEdge: if !isEdge { open.append(place + 1) }
      case .match: isMatched = true
      }
      if isMatched { break }
    }
    let slot = byte.map { Int(classes[Int($0)]) } ?? classCount
    let found: Int16
    if isMatched {
      found = Self.matched
    } else if byte == nil {
      found = 0
    } else {
      let follower = State(
        places: behind.sorted(), isAtStart: false,
        isBehindWord: program.hasEdges && isBeforeWord)
      if states.count >= Self.mostStates && numbers[follower] == nil {
        begin()
        return self.number(of: follower)
      }
      found = self.number(of: follower)
    }
    next[number * (classCount + 1) + slot] = found
    return found
  }
}
