// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The conversations of a log: one for each session of each writer, as far as lines tell them
/// apart. Sessions that have no id yet get it when they are welcomed.
struct LogTalks {
  struct Name: Hashable {
    var format: Int
    var writer: String
    /// 0 where the format names none.
    var session: UInt64
  }

  struct Talk {
    var flow: UInt32
    /// Its last message.
    var last: Origin
    /// Who writes it; unknown until a message has told.
    var side: LogFormat.Side
    /// A session has begun and not ended.
    var isOpen = false
    /// Some of its messages do not say who sent them, or are not written.
    var isMixed = false
    /// Somebody has answered the one who began.
    var isGranted = false
  }

  var talks: [Talk] = []
  /// How many there were in all.
  private var opened: UInt32 = 0
  var names: [Name: Int] = [:]
  /// Of each format, the one that was asked for last.
  var latest: ContiguousArray<(name: Name, talk: Int)?> = ContiguousArray(
    repeating: nil, count: LogFormats.all.count)
  /// Those whose session has no id yet, the oldest first.
  var unnamed: [Name: [Int]] = [:]
  private let limits: Limits
  /// Lines that were pasted are of no conversation.
  private let isPasted: Bool

  init(_ limits: Limits, isPasted: Bool) { (self.limits, self.isPasted) = (limits, isPasted) }

  /// The conversation of a message and which way it went, written into its origin.
  mutating func place(_ sight: inout LogSight, _ floor: any Floor) {
    let match = sight.match ?? LogFormats.unmarked
    if isPasted {
      // Of a line that was pasted nobody wants to hear that it is a conversation.
      let side = sight.side == .unknown ? pastedSide(sight, match) : sight.side
      sight.origin.direction = match.form.direction(match.way, side)
      return
    }
    let index = talk(&sight, match, floor)
    sight.origin.flow = talks[index].flow
    talks[index].last = sight.origin
    if match.way == .unsaid {
      // Who does not know who spoke cannot know what is missing.
      if !talks[index].isMixed { floor.gap(nil, Delivery(sight.origin)) }
      talks[index].isMixed = true
      return
    }
    learn(index, sight, match)
    sight.origin.direction = match.form.direction(match.way, talks[index].side)
    if sight.likeness.begins {
      // Two sessions in one, or the end of the first was not written: neither is whole.
      if talks[index].isOpen { floor.gap(nil, Delivery(sight.origin)) }
      (talks[index].isOpen, talks[index].isGranted) = (true, false)
    } else if talks[index].isOpen && !talks[index].isGranted
      && sight.origin.direction == .toServer && !talks[index].isMixed
    {
      // Nobody has answered and all goes on: answers are not written.
      floor.gap(nil, Delivery(sight.origin))
      talks[index].isMixed = true
    } else if sight.likeness.ends {
      talks[index].isOpen = false
    }
    if sight.origin.direction == .toClient { talks[index].isGranted = true }
  }

  /// The side that a single line lets conclude.
  private func pastedSide(_ sight: LogSight, _ match: LogMatch) -> LogFormat.Side {
    if match.form.side != .unknown || sight.likeness.direction == .unknown {
      return match.form.side
    }
    return (match.way == .sent) == (sight.likeness.direction == .toServer) ? .client : .router
  }

  /// Which side writes it: its format says so, or what it sends.
  private mutating func learn(_ index: Int, _ sight: LogSight, _ match: LogMatch) {
    if talks[index].side != .unknown { return }
    if sight.side != .unknown {
      talks[index].side = sight.side
    } else if sight.likeness.direction != .unknown {
      let isUp = sight.likeness.direction == .toServer
      switch match.way {
      case .sent: talks[index].side = isUp ? .client : .router
      case .received: talks[index].side = isUp ? .router : .client
      case .toServer, .toClient, .unsaid: break
      }
    }
  }

  private mutating func find(_ name: Name) -> Int? {
    if let (known, talk) = latest[name.format], known == name { return talk }
    guard let talk = names[name] else { return nil }
    latest[name.format] = (name, talk)
    return talk
  }

  private mutating func assign(_ name: Name, _ talk: Int) {
    names[name] = talk
    latest[name.format] = (name, talk)
  }

  private mutating func talk(
    _ sight: inout LogSight, _ match: LogMatch, _ floor: any Floor
  ) -> Int {
    var name = Name(format: match.format, writer: sight.writer, session: sight.session)
    guard let row = match.row, row.hasSession else {
      return find(name) ?? open(name, sight, match, floor)
    }
    if name.session != 0, let known = find(name) { return known }
    let session = name.session != 0 ? name.session : sight.likeness.session
    name.session = 0
    if sight.likeness.begins || unnamed[name, default: []].isEmpty {
      let new = open(nil, sight, match, floor)
      if session == 0 { unnamed[name, default: []].append(new) }
      if session != 0 {
        assign(Name(format: name.format, writer: name.writer, session: session), new)
      }
      return new
    }
    // What answers belongs to the oldest that was not answered.
    let waiting = unnamed[name]!
    let oldest = waiting.first { !talks[$0].isGranted } ?? waiting[0]
    if session != 0 {
      assign(Name(format: name.format, writer: name.writer, session: session), oldest)
      unnamed[name]!.removeAll { $0 == oldest }
    }
    return oldest
  }

  private mutating func open(
    _ name: Name?, _ sight: LogSight, _ match: LogMatch, _ floor: any Floor
  ) -> Int {
    if talks.count >= limits.connections { evict(floor) }
    let format = match.form
    opened &+= 1
    var talk = Talk(flow: opened, last: sight.origin, side: sight.side)
    if format.side != .unknown { talk.side = format.side }
    var opening = Opening(
      .webSocket, client: .unknown, server: .unknown, isFromStart: sight.likeness.begins)
    opening.isWrittenWhole = format.isWhole && sight.likeness.begins
    opening.writer = Array((match.row == nil ? "log" : "log of \(format.title)").utf8)
    if !sight.writer.isEmpty { opening.writer += Array(", \(sight.writer)".utf8) }
    if let client = Endpoint(text: Array(sight.writer.utf8)),
      let server = Endpoint(text: Array(sight.peer.prefix { $0 != 0x2F }))
    {
      (opening.client, opening.server) = (client, server)
      opening.url = Array("ws://".utf8) + sight.peer
      opening.writer = Array("log of \(format.title)".utf8)
    }
    var origin = sight.origin
    origin.flow = talk.flow
    floor.opened(opening, Delivery(origin))
    talks.append(talk)
    if let name { assign(name, talks.count - 1) }
    return talks.count - 1
  }
}

extension LogRule {
  /// Whether its lines name the session.
  var hasSession: Bool {
    if case .nowhere = session { return false }
    return true
  }
}

extension Endpoint {
  /// `127.0.0.1:53868`; nil for anything else.
  init?(text: [UInt8]) {
    let parts = text.split(separator: 0x3A, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let octets = parts[0].split(separator: 0x2E, omittingEmptySubsequences: false).compactMap {
      UInt8(String(decoding: $0, as: Unicode.UTF8.self))
    }
    guard octets.count == 4, let port = UInt16(String(decoding: parts[1], as: Unicode.UTF8.self))
    else { return nil }
    self.init(address: octets, port: port)
  }
}
