// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The columns of a ladder: which there are, and how far they stand apart.
struct LadderLayout: Equatable {
  enum Column: Equatable {
    case client(UInt32)
    /// Place in the servers of the page; the first stands for all where there is no room for them.
    case server(Int)
    /// The clients that have no room of their own.
    case others
  }

  /// What a ladder is drawn for.
  struct Room {
    /// Columns of the terminal.
    var width: Int
    /// Taken by the time and the number of the exchange, with the spaces behind them.
    var margin: Int
    /// Of the widest label with the decoration of its arrow.
    var label: Int
  }

  /// An arrow with a label in it is this wide at least: `◀┄ INVOCATION 26 …`.
  private static let leastLabelled = 24
  /// Where arrows have no labels, these stand at the right and get as much.
  private static let leastText = 30
  /// The fewest and the most columns of a short arrow; with the most, heads have room between
  /// columns.
  private static let shortest = 3
  private static let longestShort = 7

  private(set) var columns: [Column] = []
  /// Between two columns.
  private(set) var gap: Int
  /// Whether labels stand in the arrows, otherwise behind the ladder.
  private(set) var isLabelled: Bool
  /// Clients in the column that they share.
  private(set) var sharing: Set<UInt32> = []
  /// The indices in `columns`: of clients by their connections, of servers by their numbers.
  private var clients = IDTable<Int32>(minimumCapacity: 1)
  private var servers = IDTable<Int32>(minimumCapacity: 1)
  private var others: Int?

  static func == (left: LadderLayout, right: LadderLayout) -> Bool {
    (left.columns, left.gap, left.isLabelled, left.sharing)
      == (right.columns, right.gap, right.isLabelled, right.sharing)
  }

  /// - Parameters:
  ///   - clients: their connections, in order, by server, with the rows that each of them has.
  init(clients: [[(connection: UInt32, rows: Int)]], _ room: Room) {
    let width = room.width - room.margin
    (gap, isLabelled) = (Self.shortest, false)
    let servers = clients.indices.filter { !clients[$0].isEmpty }
    place(clients.map { $0.map(\.connection) }, servers)
    let gaps = max(columns.count - 1, 1)
    let labelled = (width - columns.count) / gaps
    if labelled >= Self.leastLabelled {
      (gap, isLabelled) = (min(labelled, max(room.label, Self.leastLabelled)), true)
      return
    }
    let short = (width - 2 - Self.leastText - columns.count) / gaps
    if short >= Self.shortest {
      gap = min(short, Self.longestShort)
      return
    }
    share(clients, width)
  }

  /// Clients with the most rows keep a column of their own; the others get one together, and so do
  /// servers that are too many.
  private mutating func share(_ clients: [[(connection: UInt32, rows: Int)]], _ width: Int) {
    let fitting = max((width - 2 - Self.leastText + Self.shortest) / (Self.shortest + 1), 4)
    var clients = clients
    if clients.count > fitting / 2 { clients = [Array(clients.joined())] }
    let servers = clients.indices.filter { !clients[$0].isEmpty }
    let own = max(fitting - servers.count - 1, 1)
    let all = clients.joined()
    let ranked = all.sorted { ($1.rows, $0.connection) < ($0.rows, $1.connection) }
    sharing = all.count <= own + 1 ? [] : Set(ranked.dropFirst(own).map(\.connection))
    place(clients.map { $0.map(\.connection).filter { !sharing.contains($0) } }, servers)
    if sharing.isEmpty { return }
    others = columns.count
    columns.append(.others)
  }

  /// Each server between its clients.
  private mutating func place(_ clients: [[UInt32]], _ servers: [Int]) {
    columns = []
    for server in servers {
      let connections = clients[server]
      let left = (connections.count + 1) / 2
      columns += connections[..<left].map { .client($0) }
      columns.append(.server(server))
      columns += connections[left...].map { .client($0) }
    }
    self.clients.removeAll()
    self.servers.removeAll()
    for (number, column) in columns.enumerated() {
      switch column {
      case .client(let connection): self.clients[Self.key(connection)] = Int32(number)
      case .server(let server): self.servers[Self.key(server)] = Int32(number)
      case .others: others = number
      }
    }
  }

  func place(of connection: UInt32) -> Int {
    clients[Self.key(connection)].map(Int.init) ?? others ?? 0
  }

  func place(ofServer server: Int) -> Int {
    (servers[Self.key(server)] ?? servers[Self.key(0)]).map(Int.init) ?? 0
  }

  private static func key(_ number: some BinaryInteger) -> WideKey {
    WideKey(0, UInt64(truncatingIfNeeded: number))
  }
}
