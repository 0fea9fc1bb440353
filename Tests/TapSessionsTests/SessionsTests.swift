// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapSessions
import TapTraffic
import Testing

/// Messages of no dialect at all: only their links count.
private struct Bench {
  var sessions: Sessions
  private var index: UInt64 = 0

  init(limits: Limits = Limits(), collectsNames: Bool = false) {
    sessions = Sessions(limits: limits, collectsNames: collectsNames)
  }

  @discardableResult
  mutating func report(
    _ links: Link..., subject: Int32 = 0, isPattern: Bool = false, at time: Int64? = nil,
    session: UInt64 = 1, router: UInt32 = 1, realm: UInt32 = 1
  ) -> Joined {
    index += 1
    let instant = time.map { Instant(nanoseconds: $0) } ?? .unknown
    var message = Message("test", "TEST", Origin(time: instant))
    (message.first, message.second, message.third) = (
      links.first ?? .none, links.dropFirst().first ?? .none, links.dropFirst(2).first ?? .none
    )
    if isPattern { message.traits = .isPattern }
    var joined = Joined(index: index)
    sessions.join(
      message, &joined, subject: subject,
      at: Sessions.Membership(session: session, router: router, realm: realm))
    return joined
  }
}

private func link(
  _ role: Link.Role, _ key: UInt64, space: UInt8 = 1, _ scope: Link.Scope = .session
) -> Link { Link(role, "k", key, space: space, scope: scope) }

private func shared(_ role: Link.Role, _ key: UInt64) -> Link {
  link(role, key, space: 200, .router)
}

@Suite struct SessionsTests {
  /// What the second message finds of the first, which opened key 7 with subject 5 at index 1.
  @Test(arguments: [
    (Link.Role.answers, 1 as UInt64, 5 as Int32), (.continues, 1, 5), (.mentions, 0, 5),
    (.refers, 0, 0), (.concerns, 0, 0), (.names, 0, 0), (.shares, 0, 0), (.shows, 0, 0),
    (.none, 0, 0), (.opens, 0, 0), (.restarts, 0, 0),
  ])
  func answers(role: Link.Role, answers: UInt64, subject: Int32) {
    var bench = Bench()
    #expect(bench.report(link(.opens, 7), subject: 5).subject == 5)
    let joined = bench.report(link(role, 7))
    #expect(joined.answers == answers && joined.subject == subject && joined.carries == 0)
    // Another key, space or session finds nothing.
    var other = Bench()
    other.report(link(.opens, 7), subject: 5)
    #expect(other.report(link(role, 8)).answers == 0)
    #expect(other.report(link(role, 7, space: 2)).answers == 0)
    #expect(other.report(link(role, 7), session: 2).answers == 0)
  }

  /// What is left of the exchange behind each role.
  @Test(arguments: [
    (Link.Role.answers, 0 as UInt64), (.continues, 1), (.mentions, 1), (.opens, 1), (.restarts, 2),
    (.shows, 1),
  ])
  func leaves(role: Link.Role, answers: UInt64) {
    var bench = Bench()
    bench.report(link(.opens, 7), subject: 5)
    bench.report(link(role, 7))
    #expect(bench.report(link(.answers, 7)).answers == answers)
    #expect(bench.report(link(.answers, 7)).answers == 0)
  }

  /// What a payload says of an id is known in all sessions of the realm, but is not above what a
  /// request and its answer said.
  @Test func lessons() {
    let id: UInt64 = 1 << 40
    var bench = Bench()
    let place = Sessions.Membership(session: 1, router: 1, realm: 1)
    bench.sessions.learn(shared(.names, id), 5, isPattern: false, by: 1, at: place)
    #expect(bench.report(shared(.refers, id), session: 2).subject == 5)
    bench.sessions.learn(shared(.names, id), 6, isPattern: false, by: 2, at: place)
    #expect(bench.report(shared(.refers, id), session: 3).subject == 5)
    bench.sessions.learn(shared(.names, id + 1), 7, isPattern: true, by: 3, at: place)
    #expect(bench.report(shared(.refers, id + 1), session: 2).subject == 0)
  }

  @Test func ownSubjectStays() {
    var bench = Bench()
    bench.report(link(.opens, 7), subject: 5)
    let joined = bench.report(link(.answers, 7), subject: 6)
    #expect(joined.subject == 6 && joined.answers == 1)
  }

  @Test func progressiveResults() {
    var bench = Bench()
    bench.report(link(.opens, 7), subject: 5, at: 100)
    for time in [110, 130] as [Int64] {
      let joined = bench.report(link(.continues, 7), at: time)
      #expect(joined.answers == 1 && joined.latency == time - 100)
    }
    #expect(bench.report(link(.answers, 7), at: 200).latency == 100)
  }

  @Test(arguments: [
    (100 as Int64?, 350 as Int64?, 250 as Int64), (100, 100, 0), (100, 99, -1), (nil, 100, -1),
    (100, nil, -1), (nil, nil, -1), (-50, 50, 100), (0, 0, 0),
  ])
  func latency(asked: Int64?, answered: Int64?, expected: Int64) {
    var bench = Bench()
    bench.report(link(.opens, 7), at: asked)
    let joined = bench.report(link(.answers, 7), at: answered)
    #expect(joined.latency == expected && joined.answers == 1)
    // That of the clock of what was asked, not the finest there is.
    if expected >= 0 { #expect(joined.precision == 6) }
  }

  /// SUBSCRIBE, SUBSCRIBED, EVENT, UNSUBSCRIBE.
  @Test(arguments: [false, true]) func names(isPattern: Bool) {
    var bench = Bench()
    bench.report(link(.opens, 1), subject: 9, isPattern: isPattern)
    let named = bench.report(link(.answers, 1), shared(.names, 42))
    #expect(named.subject == 9 && named.answers == 1)
    // A pattern is not what an event is about, but what an UNSUBSCRIBE is about.
    #expect(bench.report(shared(.refers, 42)).subject == (isPattern ? 0 : 9))
    #expect(bench.report(shared(.refers, 42), subject: 3).subject == 3)
    #expect(bench.report(link(.opens, 2), shared(.concerns, 42)).subject == 9)
    #expect(bench.report(link(.answers, 2)).subject == 9)
    #expect(bench.report(shared(.refers, 43)).subject == 0)
    // A name without a subject is none.
    bench.report(shared(.names, 50))
    #expect(bench.report(shared(.refers, 50)).subject == 0)
  }

  @Test func namesAreReplaced() {
    var bench = Bench()
    bench.report(shared(.names, 42), subject: 1)
    bench.report(shared(.names, 42), subject: 2)
    #expect(bench.report(shared(.refers, 42)).subject == 2)
  }

  /// PUBLISH, PUBLISHED, EVENT; and the event that comes first.
  @Test func publications() {
    var bench = Bench()
    bench.report(link(.opens, 1), subject: 9)
    let published = bench.report(link(.answers, 1), shared(.shares, 77))
    #expect(published.answers == 1 && published.carries == 0 && published.subject == 9)
    for session in 2...4 as ClosedRange<UInt64> {
      let event = bench.report(shared(.refers, 42), shared(.shares, 77), session: session)
      #expect(event.carries == 1 && event.subject == 9 && event.answers == 0)
    }
    #expect(bench.report(shared(.shares, 78)).carries == 0)
    // Known from one EVENT, known for all.
    bench.report(shared(.shares, 80), subject: 4)
    let second = bench.report(shared(.shares, 80), session: 5)
    #expect(second.subject == 4 && second.carries == 0)
  }
}

@Suite struct ScopeTests {
  private static let large: UInt64 = 1 << 32

  /// Whether a name given in session 1 of router 1 and realm 1 is known elsewhere. Counters are
  /// shared within a realm only, random ids within a router; an unknown realm shares no counters.
  @Test(arguments: [
    (1 as UInt64, 1 as UInt32, 1 as UInt32, true, true), (2, 1, 1, true, true),
    (2, 1, 2, false, true), (2, 1, 0, false, true), (2, 2, 3, false, false),
    (2, 2, 0, false, false),
  ])
  func names(session: UInt64, router: UInt32, realm: UInt32, small: Bool, random: Bool) {
    for (key, isKnown) in [
      (42, small), (Self.large - 1, small), (Self.large, random), (1 << 53, random),
    ]
      as [(UInt64, Bool)]
    {
      var bench = Bench()
      bench.report(shared(.names, key), subject: 9)
      let event = bench.report(shared(.refers, key), session: session, router: router, realm: realm)
      #expect(event.subject == (isKnown ? 9 : 0), "\(key)")
    }
  }

  @Test func unknownRealmKeepsItsOwnNames() {
    var bench = Bench()
    bench.report(shared(.names, 42), subject: 9, session: 1, realm: 0)
    #expect(bench.report(shared(.refers, 42), session: 1, realm: 0).subject == 9)
    #expect(bench.report(shared(.refers, 42), session: 2, realm: 0).subject == 0)
  }

  /// The session's own name wins over that of another one.
  @Test func ownNameFirst() {
    var bench = Bench()
    bench.report(shared(.names, 42), subject: 1, session: 1)
    bench.report(shared(.names, 42), subject: 2, session: 2)
    #expect(bench.report(shared(.refers, 42), session: 1).subject == 1)
    #expect(bench.report(shared(.refers, 42), session: 2).subject == 2)
    #expect(bench.report(shared(.refers, 42), session: 3).subject == 2)
  }

  @Test func sessionScopeIsNotShared() {
    var bench = Bench()
    bench.report(link(.names, Self.large), subject: 9, session: 1)
    #expect(bench.report(link(.refers, Self.large), session: 1).subject == 9)
    #expect(bench.report(link(.refers, Self.large), session: 2).subject == 0)
  }

  /// Same request ids in many sessions, interleaved.
  @Test func sameIdsInManySessions() {
    var bench = Bench()
    for session in 1...50 as ClosedRange<UInt64> {
      bench.report(link(.opens, 1), subject: Int32(session), session: session)
    }
    for session in (1...50 as ClosedRange<UInt64>).reversed() {
      let joined = bench.report(link(.answers, 1), session: session)
      #expect(joined.answers == session && joined.subject == Int32(session))
    }
  }

  @Test func eviction() {
    var limits = Limits()
    limits.openExchanges = 10
    var bench = Bench(limits: limits)
    for key in 1...10 as ClosedRange<UInt64> { bench.report(link(.opens, key), subject: 1) }
    #expect(bench.sessions.evicted == 0)
    // The eleventh: of 1 ... 10, those up to the middle of 1 and 11 are forgotten.
    bench.report(link(.opens, 11), subject: 1)
    #expect(bench.sessions.evicted == 6)
    for key in 1...11 as ClosedRange<UInt64> {
      #expect(bench.report(link(.answers, key)).answers == (key <= 6 ? 0 : key))
    }
  }

  @Test func evictionOfNames() {
    var limits = Limits()
    limits.namedIDs = 20
    var bench = Bench(limits: limits)
    for key in 1...500 as ClosedRange<UInt64> {
      bench.report(shared(.names, key), subject: Int32(key))
    }
    var known = 0
    for key in 1...500 as ClosedRange<UInt64> {
      let subject = bench.report(shared(.refers, key)).subject
      #expect(subject == 0 || subject == Int32(key))
      if subject != 0 { known += 1 }
    }
    #expect(bench.report(shared(.refers, 500)).subject == 500, "the youngest is kept")
    // Each name stands twice: for its session and for its realm.
    #expect(bench.sessions.evicted == UInt64(2 * (500 - known)))
    #expect((1...10).contains(known))
  }
}

/// A registration that was not captured gets the procedure of the only open call with the same
/// arguments, once its answer has the same result; anything less tells nothing.
@Suite struct RelayedCallsTests {
  private static let registration: UInt64 = 1 << 40

  /// What the registration turns out to stand for.
  private func inferred(
    arguments: [Int], passedOn: Int, result: Int, answered: Int
  ) -> [Int32] {
    var sessions = Sessions(limits: Limits(), collectsNames: true)
    var index: UInt64 = 0
    func report(
      _ direction: Direction, _ links: [Link], subject: Int32 = 0, payload: Int, session: UInt64
    ) {
      index += 1
      var message = Message("test", "TEST", Origin(direction: direction))
      (message.first, message.second) = (links[0], links.count > 1 ? links[1] : .none)
      var joined = Joined(index: index)
      let place = Sessions.Membership(session: session, router: 1, realm: 0)
      sessions.join(message, &joined, subject: subject, at: place)
      sessions.infer(message, joined, digest: payload, at: place)
    }
    for (number, payload) in arguments.enumerated() {
      report(
        .toServer, [link(.opens, UInt64(number))], subject: Int32(number + 5), payload: payload,
        session: 1)
    }
    report(
      .toClient, [link(.opens, 9, space: 2), link(.refers, Self.registration, space: 3, .router)],
      payload: passedOn, session: 2)
    report(.toServer, [link(.answers, 9, space: 2)], payload: result, session: 2)
    report(.toClient, [link(.answers, 0)], payload: answered, session: 1)
    var subjects: [Int32] = []
    sessions.forEachCollected { _, subject, _, isInferred in
      if isInferred { subjects.append(subject) }
    }
    return subjects
  }

  @Test func sameArgumentsAndResult() {
    #expect(inferred(arguments: [1, 2], passedOn: 1, result: 7, answered: 7) == [5])
  }

  @Test("not by other arguments, two calls alike, or another result")
  func nothingElse() {
    #expect(inferred(arguments: [1], passedOn: 2, result: 7, answered: 7) == [])
    #expect(inferred(arguments: [1, 1], passedOn: 1, result: 7, answered: 7) == [])
    #expect(inferred(arguments: [1], passedOn: 1, result: 7, answered: 8) == [])
  }
}
