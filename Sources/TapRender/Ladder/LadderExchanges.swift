// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Which messages of a page belong together over both of their legs.
///
/// What ids join is joined by them. CALL and INVOCATION, and a PUBLISH that nobody acknowledges and
/// its EVENTs, share no id: these are joined by subject and payload, and the rows say that this is
/// inferred. Knows no dialect: what goes to the server and opens an exchange may be passed on by
/// what comes from it.
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
  struct Subject {
    var host: Int
    var server: Int
    /// Its number, of all that the page is about; 0 for none.
    var text: Int32

    fileprivate var key: WideKey {
      WideKey(UInt64(truncatingIfNeeded: host), UInt64(truncatingIfNeeded: text))
    }
  }

  /// An open request that may be passed on to another client.
  private struct Candidate {
    var index: UInt64
    var exchange: Int
    var payload: UInt64
    var server: Int
    /// It is published: its answer may come before it is passed on, and to several it may be.
    var isPublished: Bool
  }

  /// Ids that several messages share.
  private struct Shared {
    var exchange: Int
    var isInferred: Bool
    /// Rows that have it and were not joined by anything else.
    var rows: [Int] = []
  }

  /// Ids this large are random: no other router of the host gives the same one. A proxy repeats
  /// them, so those of the same port come first.
  private static let random: UInt64 = 1 << 32

  private struct Request {
    var exchange: Int
    var isInferred: Bool
  }

  /// Open requests about one subject that are compared; the oldest are given up first.
  private static let mostCandidates = 256

  private(set) var all: [Exchange] = []
  /// By subject, the place of its open requests in `waiting`.
  private var subjects = IDTable<Int>(minimumCapacity: 1)
  private var waiting: [[Candidate]] = []
  /// By server or host, and id, a place in `sharings`.
  private var shared = IDTable<Int>(minimumCapacity: 1)
  private var sharings: [Shared] = []
  private var requests = IDTable<Request>(minimumCapacity: 1)

  subscript(exchange: Int) -> Exchange {
    get { all[exchange] }
    set { all[exchange] = newValue }
  }

  /// Puts a message into its exchange.
  ///
  /// - Parameters:
  ///   - request: the place of the row that it answers or whose publication it carries.
  ///   - payload: a fingerprint of the payload.
  mutating func join(
    _ row: inout LadderRow, _ message: Message, _ view: MessageView, request: Int?,
    subject: Subject, payload: UInt64,
    rows: inout ContiguousArray<LadderRow>
  ) {
    if let request {
      row.exchange = rows[request].exchange
      let isAlike = view.joined.answers == 0 && message.third.role == .delivers
      row.isInferred =
        rows[request].isInferred || isAlike || message.traits.contains(.isInferred)
      if message.has(.answers) { forget(view.joined.answers, subject) }
    }
    if message.first.role == .mentions {
      if let request = requests[key(message, row)], row.exchange < 0 {
        (row.exchange, row.isInferred) = (request.exchange, request.isInferred)
      }
    }
    for number in 0..<3 where message.link(number).role == .shares {
      share(message.link(number).key, &row, subject, payload, &rows)
    }
    let opens = message.first.role == .opens
    let isDelivered = message.third.role == .delivers
    let isPassedOn = row.direction == .toClient && (opens || isDelivered)
    if row.exchange < 0 && isPassedOn, subject.text != 0,
      let found = take(subject, payload, orOnlyOne: !isDelivered)
    {
      (row.exchange, row.isInferred) = (found, true)
    }
    if row.exchange < 0 {
      row.exchange = all.count
      all.append(Exchange())
    }
    if opens {
      requests[key(message, row)] = Request(exchange: row.exchange, isInferred: row.isInferred)
    }
    let isPublished = message.third.role == .sends
    if opens || isPublished { wait(row, subject, payload, isPublished: isPublished) }
  }

  private mutating func wait(
    _ row: LadderRow, _ subject: Subject, _ payload: UInt64, isPublished: Bool
  ) {
    if row.direction != .toServer || subject.text == 0 { return }
    var place = subjects[subject.key] ?? -1
    if place < 0 {
      place = waiting.count
      waiting.append([])
      subjects[subject.key] = place
    }
    if waiting[place].count >= Self.mostCandidates { waiting[place].removeFirst() }
    waiting[place].append(
      Candidate(
        index: row.index, exchange: row.exchange, payload: payload, server: subject.server,
        isPublished: isPublished))
  }

  private func key(_ message: Message, _ row: LadderRow) -> WideKey {
    let place = UInt64(row.connection) << 32 | UInt64(row.session) << 16
    return WideKey(place | UInt64(message.first.space), message.first.key)
  }

  /// An id that several messages have: PUBLISHED and the EVENTs of a publication.
  private mutating func share(
    _ id: UInt64, _ row: inout LadderRow, _ subject: Subject, _ payload: UInt64,
    _ rows: inout ContiguousArray<LadderRow>
  ) {
    let key = WideKey(UInt64(truncatingIfNeeded: subject.server), id)
    let hostKey = WideKey(UInt64(truncatingIfNeeded: ~subject.host), id)
    let known = shared[key]
    if row.exchange >= 0 {
      // Now it is known by id: those that came before are put right.
      for number in known.map({ sharings[$0].rows }) ?? [] {
        (rows[number].exchange, rows[number].isInferred) = (row.exchange, false)
      }
      let own = Shared(exchange: row.exchange, isInferred: row.isInferred)
      put(own, at: known, key)
      if id >= Self.random && shared[hostKey] == nil { put(own, at: nil, hostKey) }
    } else if let place = known {
      (row.exchange, row.isInferred) = (sharings[place].exchange, sharings[place].isInferred)
      sharings[place].rows.append(rows.count)
    } else if let place = shared[hostKey] {
      (row.exchange, row.isInferred) = (sharings[place].exchange, sharings[place].isInferred)
    } else {
      if subject.text != 0, let found = take(subject, payload, orOnlyOne: false) {
        (row.exchange, row.isInferred) = (found, true)
      } else {
        row.exchange = all.count
        all.append(Exchange())
      }
      let own = Shared(exchange: row.exchange, isInferred: row.isInferred, rows: [rows.count])
      put(own, at: nil, key)
    }
  }

  private mutating func put(_ own: Shared, at known: Int?, _ key: WideKey) {
    if let known {
      sharings[known] = own
    } else {
      shared[key] = sharings.count
      sharings.append(own)
    }
  }

  /// The oldest open request with this payload, or the last publication, of the same port if there
  /// is one; else the only one there is at this port, as a router may write the same payload in
  /// other words.
  private mutating func take(_ subject: Subject, _ payload: UInt64, orOnlyOne: Bool) -> Int? {
    guard let list = subjects[subject.key] else { return nil }
    var (own, first, same): (Int?, Int?, Int?)
    var owned = 0
    for (place, candidate) in waiting[list].enumerated() {
      let isOwn = candidate.server == subject.server
      if isOwn { (owned, first) = (owned + 1, first ?? place) }
      guard candidate.payload == payload else { continue }
      if candidate.isPublished || same == nil { same = place }
      if isOwn {
        own = place
        if !candidate.isPublished { break }
      }
    }
    guard let place = own ?? same ?? (orOnlyOne && owned == 1 ? first : nil) else { return nil }
    let found = waiting[list][place]
    if !found.isPublished { waiting[list].remove(at: place) }
    return found.exchange
  }

  /// It was answered: it is not passed on any more.
  private mutating func forget(_ index: UInt64, _ subject: Subject) {
    guard let list = subjects[subject.key] else { return }
    waiting[list].removeAll { $0.index == index && !$0.isPublished }
  }
}
