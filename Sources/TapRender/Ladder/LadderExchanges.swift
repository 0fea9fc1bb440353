// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Which messages of a page belong together over both of their legs.
///
/// What ids join is joined by them. CALL and INVOCATION, and a PUBLISH that nobody acknowledges and
/// its EVENTs, share no id: these are joined by subject and payload, and the rows say that this is
/// inferred. Knows no dialect: what goes to the server and opens an exchange may be told on by what
/// comes from it.
struct LadderExchanges {
  struct Exchange {
    var hasSubject = false
    var hasRequest = false
    /// Rows that are drawn.
    var drawn = 0
    /// In the order of the drawing, from 1; 0 when there is none.
    var number = 0
  }

  /// What a message is about, and where. Subjects are the same only within one host, which may
  /// answer at several ports.
  struct Subject: Hashable {
    var host: Int
    var server: Int
    var text: [UInt8]

    static func == (left: Self, right: Self) -> Bool {
      left.host == right.host && left.text == right.text
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(host)
      hasher.combine(text)
    }
  }

  /// An open request that may be told on.
  private struct Candidate {
    var index: UInt64
    var exchange: Int
    var payload: Int
    var server: Int
  }

  /// Ids that several messages share.
  private struct Shared {
    var exchange: Int
    var isInferred: Bool
    /// Rows that have it and were not joined by anything else.
    var rows: [Int] = []
  }

  private struct SharedKey: Hashable {
    var server: Int
    var key: UInt64
  }

  /// Ids this large are random: no other router of the host gives the same one. A proxy repeats
  /// them, so those of the same port come first.
  private static let random: UInt64 = 1 << 32

  private struct RequestKey: Hashable {
    var connection: UInt32
    var session: UInt16
    var space: UInt8
    var key: UInt64
  }

  /// Open requests about one subject that are compared; the oldest are given up first.
  private static let mostCandidates = 256

  private(set) var all: [Exchange] = []
  private var candidates: [Subject: [Candidate]] = [:]
  private var shared: [SharedKey: Shared] = [:]
  private var requests: [RequestKey: (exchange: Int, isInferred: Bool)] = [:]

  subscript(exchange: Int) -> Exchange {
    get { all[exchange] }
    set { all[exchange] = newValue }
  }

  /// Puts a message into its exchange.
  ///
  /// - Parameters:
  ///   - request: the row that it answers or whose publication it carries.
  ///   - payload: distinguishes payloads.
  mutating func join(
    _ row: inout LadderRow, _ message: Message, _ joined: Joined, request: LadderRow?,
    subject: Subject, payload: Int, rows: inout ContiguousArray<LadderRow>
  ) {
    if let request {
      row.exchange = request.exchange
      row.isInferred = request.isInferred || message.traits.contains(.isInferred)
      if message.first.role == .answers || message.second.role == .answers {
        forget(joined.answers, subject)
      }
    }
    if message.first.role == .mentions {
      if let request = requests[key(message, row)], row.exchange < 0 {
        (row.exchange, row.isInferred) = request
      }
    }
    for number in 0..<3 where message.link(number).role == .shares {
      share(message.link(number).key, &row, subject, payload, &rows)
    }
    let opens = message.first.role == .opens
    if row.exchange < 0 && opens && row.direction == .toClient, !subject.text.isEmpty,
      let found = take(subject, payload, orOnlyOne: true)
    {
      (row.exchange, row.isInferred) = (found, true)
    }
    if row.exchange < 0 {
      row.exchange = all.count
      all.append(Exchange())
    }
    if opens { open(row, message, subject, payload) }
  }

  private mutating func open(
    _ row: LadderRow, _ message: Message, _ subject: Subject, _ payload: Int
  ) {
    requests[key(message, row)] = (row.exchange, row.isInferred)
    if row.direction != .toServer || subject.text.isEmpty { return }
    var known = candidates[subject, default: []]
    if known.count >= Self.mostCandidates { known.removeFirst() }
    known.append(
      Candidate(
        index: row.index, exchange: row.exchange, payload: payload, server: subject.server))
    candidates[subject] = known
  }

  private func key(_ message: Message, _ row: LadderRow) -> RequestKey {
    RequestKey(
      connection: row.connection, session: row.session, space: message.first.space,
      key: message.first.key)
  }

  /// An id that several messages have: PUBLISHED and the EVENTs of a publication.
  private mutating func share(
    _ id: UInt64, _ row: inout LadderRow, _ subject: Subject, _ payload: Int,
    _ rows: inout ContiguousArray<LadderRow>
  ) {
    let key = SharedKey(server: subject.server, key: id)
    let hostKey = SharedKey(server: ~subject.host, key: id)
    if row.exchange >= 0 {
      // Now it is known by id: those that came before are put right.
      for number in shared[key]?.rows ?? [] {
        (rows[number].exchange, rows[number].isInferred) = (row.exchange, false)
      }
      shared[key] = Shared(exchange: row.exchange, isInferred: row.isInferred)
      if id >= Self.random && shared[hostKey] == nil { shared[hostKey] = shared[key] }
    } else if let known = shared[key] {
      (row.exchange, row.isInferred) = (known.exchange, known.isInferred)
      shared[key]!.rows.append(rows.count)
    } else if let known = shared[hostKey] {
      (row.exchange, row.isInferred) = (known.exchange, known.isInferred)
    } else {
      if !subject.text.isEmpty, let found = take(subject, payload, orOnlyOne: false) {
        (row.exchange, row.isInferred) = (found, true)
      } else {
        row.exchange = all.count
        all.append(Exchange())
      }
      shared[key] = Shared(
        exchange: row.exchange, isInferred: row.isInferred, rows: [rows.count])
    }
  }

  /// The oldest open request with this payload, of the same port if there is one; else the only one
  /// there is at this port, as a router may write the same payload in other words.
  private mutating func take(_ subject: Subject, _ payload: Int, orOnlyOne: Bool) -> Int? {
    guard var known = candidates[subject] else { return nil }
    let own = known.indices.filter { known[$0].server == subject.server }
    var place =
      own.first { known[$0].payload == payload } ?? known.firstIndex { $0.payload == payload }
    if place == nil && orOnlyOne && own.count == 1 { place = own[0] }
    guard let place else { return nil }
    let found = known.remove(at: place)
    candidates[subject] = known.isEmpty ? nil : known
    return found.exchange
  }

  /// It was answered: nothing tells it on any more.
  private mutating func forget(_ index: UInt64, _ subject: Subject) {
    guard var known = candidates[subject] else { return }
    known.removeAll { $0.index == index }
    candidates[subject] = known.isEmpty ? nil : known
  }
}
