// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TapBytes
import TapTraffic

/// Lines that wait until it is known whether they match, with everything that belongs to them.
struct HeldLines {
  struct Line {
    var message: Message
    var joined: Joined
    var bytes: [UInt8]
    var notes: [Note]
    var subject: [UInt8]
    var namings: ContiguousArray<NamedValue>
    var detail: Detail?
    /// Findings reported after the message.
    var findings: [(finding: Finding, messages: [UInt64])] = []

    init(_ message: Message, _ view: MessageView, _ namings: ContiguousArray<NamedValue>) {
      (self.message, joined, self.namings) = (message, view.joined, namings)
      bytes = view.bytes.withUnsafeBytes { Array($0) }
      subject = view.subject.withUnsafeBytes { Array($0) }
      notes = view.notes.withUnsafeBufferPointer { Array($0) }
    }

    var view: MessageView {
      @_lifetime(borrow self)
      get { MessageView(joined, bytes.span.bytes, notes.span, subject: subject.span.bytes) }
    }

    /// The approximate memory use.
    var cost: Int {
      MemoryLayout<Line>.stride + bytes.count + subject.count
        + notes.count * MemoryLayout<Note>.stride + findings.count * Self.findingCost
        + (detail.map { $0.rows.count * MemoryLayout<OutlineRow>.stride } ?? 0)
        + (detail?.sent?.octets.count ?? 0)
    }

    private static let findingCost = 512
  }

  /// By message index.
  private var lines: [UInt64: Line] = [:]
  /// Indices in order of arrival; some are reported already.
  private var order: Deque<UInt64> = []
  /// The message indices of each exchange, by its first message.
  private var exchanges: [UInt64: [UInt64]] = [:]
  private var connections: [UInt32: Set<UInt64>] = [:]
  private var cost = 0
  private let limits: Limits

  init(_ limits: Limits) { self.limits = limits }

  /// The limit is reached.
  var isFull: Bool { lines.count >= limits.waitingLines || cost >= limits.waitingBytes }

  /// - Parameter root: the first message of its exchange.
  mutating func add(_ line: Line, root: UInt64) {
    cost += line.cost
    let index = line.joined.index
    lines[index] = line
    order.append(index)
    exchanges[root, default: []].append(index)
    connections[line.joined.connection, default: []].insert(index)
  }

  /// Adds a detail to a held message; does nothing if it is not held.
  mutating func attach(_ detail: Detail, to index: UInt64) { change(index) { $0.detail = detail } }

  /// - Returns: whether the message is held.
  mutating func attach(_ finding: Finding, _ messages: [UInt64]) -> Bool {
    guard let index = messages.last, lines[index] != nil else { return false }
    change(index) { $0.findings.append((finding, messages)) }
    return true
  }

  private mutating func change(_ index: UInt64, _ body: (inout Line) -> Void) {
    guard var line = lines.removeValue(forKey: index) else { return }
    cost -= line.cost
    body(&line)
    cost += line.cost
    lines[index] = line
  }

  mutating func merge(_ from: UInt64, into root: UInt64) {
    guard let moved = exchanges.removeValue(forKey: from) else { return }
    exchanges[root, default: []] += moved
    exchanges[root]?.sort()
  }

  subscript(index: UInt64) -> Line? { lines[index] }

  /// Held messages, in order.
  func indices(exchange root: UInt64) -> [UInt64] { exchanges[root] ?? [] }

  func indices(connection: UInt32) -> [UInt64] { (connections[connection] ?? []).sorted() }

  mutating func oldest() -> UInt64? {
    while let first = order.first, lines[first] == nil { order.removeFirst() }
    return order.first
  }

  /// All held messages, in order.
  var all: [UInt64] { order.filter { lines[$0] != nil } }

  /// - Returns: the line; nil when it is not held.
  mutating func remove(_ index: UInt64, root: UInt64) -> Line? {
    guard let line = lines.removeValue(forKey: index) else { return nil }
    cost -= line.cost
    if order.count > 2 * lines.count + 64 { order.removeAll { lines[$0] == nil } }
    exchanges[root]?.removeAll { $0 == index }
    if exchanges[root]?.isEmpty == true { exchanges[root] = nil }
    connections[line.joined.connection]?.remove(index)
    if connections[line.joined.connection]?.isEmpty == true {
      connections[line.joined.connection] = nil
    }
    return line
  }
}
