// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// ejabberd's log at level `debug`: its process names the connection, and the lines below print the
/// packet as a record of Erlang.
///
///     … [debug] <0.503.0>@mod_mqtt_session:handle_info/2:243 Got MQTT packet:
///     #publish{id = 2,dup = false,qos = 1,retain = false,topic = <<"t/1">>,
///              payload = <<"hello">>,properties = #{},meta = #{}}
struct EjabberdLog: NarratedLog {
  /// The limit of a record, in bytes.
  private static let longest = 1 << 20

  /// A record whose lines are not complete yet.
  private struct Unfinished {
    var process: String
    var origin: Origin
    var text: [UInt8] = []
    var brackets = BracketCount()
    /// A line that did not go on with it: a string on it may have been shown first, then the line.
    var other: UInt64?

    /// - Returns: whether the record ends with this line.
    mutating func append(_ line: RawSpan) -> Bool {
      for at in 0..<line.byteCount { _ = brackets.take(line.byte(at: at)) }
      text += line.copied() + [.lineFeed]
      return brackets.depth <= 0
    }
  }

  private(set) var isKnown = false
  private var unfinished: Unfinished?
  /// The level of the protocol of each open connection; nil where its CONNECT is not in the log.
  private var levels: [String: Int?] = [:]
  private let mostConnections: Int

  init(limits: Limits) { mostConnections = limits.connections }

  var waiting: Origin? { unfinished?.origin }

  func mayReport(_ line: RawSpan) -> Bool { line.contains(EjabberdHead.module) }

  mutating func look(at line: RawSpan) -> Bool {
    guard let head = EjabberdHead(line) else { return false }
    if case .packet = head.words { isKnown = true }
    return true
  }

  mutating func read(
    _ line: RawSpan, _ origin: Origin, _ narrations: inout ContiguousArray<Narration>
  ) -> Bool {
    if goesOn(line, origin.record, &narrations) { return true }
    guard let head = EjabberdHead(line) else { return false }
    switch head.words {
    case .packet(let direction):
      settle(&narrations)
      var origin = origin
      origin.direction = direction
      unfinished = Unfinished(process: head.process, origin: origin)
    case .closing(let reason):
      settle(&narrations)
      close(head.process, reason, origin, &narrations)
    }
    return true
  }

  /// Continues a record; false when the line is not part of one.
  private mutating func goesOn(
    _ line: RawSpan, _ number: UInt64, _ narrations: inout ContiguousArray<Narration>
  ) -> Bool {
    guard let record = unfinished else { return false }
    let first = line.isEmpty ? 0 : line.byte(at: 0)
    let isPart = record.text.isEmpty ? "#{".utf8.contains(first) : first == .space
    if record.other ?? number != number || record.text.count + line.byteCount > Self.longest {
      settle(&narrations)
      return false
    }
    unfinished!.other = isPart ? nil : number
    if !isPart { return false }
    if unfinished!.append(line) { settle(&narrations) }
    return true
  }

  /// Reports the record as far as it was read.
  mutating func settle(_ narrations: inout ContiguousArray<Narration>) {
    guard let record = unfinished.take() else { return }
    let (name, direction) = (record.process, record.origin.direction)
    // The server prints what MQTT 5.0 alone has for all others, too, and does not send it.
    let level = levels[name] ?? (direction == .toServer ? Int(MQTTLevel.v5) : nil)
    var packet = EjabberdRecord(record.text, level: level)
    let isWhole = packet.read()
    guard let type = packet.type else { return }
    if levels.count >= mostConnections { levels = [:] }
    if type == .connect { levels[name] = packet.level }
    if levels[name] == nil { levels[name] = .some(nil) }
    let text = packet.json
    report(
      isWhole ? .message(text) : .abridged(text), name, type == .connect, record.origin, &narrations
    )
    if type == .disconnect || type == .connack && packet.isRefusal {
      end(name, direction, "", record.origin, &narrations)
    }
  }

  /// The server says why it closes a session: before the DISCONNECT that it sends to a client of
  /// MQTT 5.0, and after that of the client.
  private mutating func close(
    _ process: String, _ reason: [UInt8], _ origin: Origin,
    _ narrations: inout ContiguousArray<Narration>
  ) {
    guard let level = levels[process] else { return }
    var words = String(decoding: reason, as: Unicode.UTF8.self)
    if words.hasPrefix("Connection failed") {
      let isClosed = words == "Connection failed: connection closed"
      return end(
        process, isClosed ? .toServer : .unknown, isClosed ? "closed" : "", origin, &narrations)
    }
    if level == Int(MQTTLevel.v5) { return }
    if words == "Idle connection" { words = "timeout" }
    if words.hasPrefix("Replaced by ") { words = "taken over" }
    end(process, .toClient, words, origin, &narrations)
  }

  private mutating func end(
    _ process: String, _ by: Direction, _ reason: String, _ origin: Origin,
    _ narrations: inout ContiguousArray<Narration>
  ) {
    guard levels.removeValue(forKey: process) != nil else { return }
    let text = MQTTLoggedEnd.text(Array(reason.utf8).span.bytes)
    report(.end(by, text), process, false, origin, &narrations)
  }

  private func report(
    _ event: Narration.Event, _ process: String, _ begins: Bool, _ origin: Origin,
    _ narrations: inout ContiguousArray<Narration>
  ) {
    narrations.append(
      Narration(
        program: "ejabberd", dialect: "mqtt", connection: process, begins: begins, origin: origin,
        event: event))
  }
}
