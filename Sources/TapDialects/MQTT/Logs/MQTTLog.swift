// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reads the lines of programs that name packets of MQTT: each becomes the JSON that stands for
/// such a packet in the machine output of this program, as far as the lines tell it.
struct MQTTLog: NarratedLog {
  /// Clients of which is remembered what was granted to them.
  private static let mostClients = 4096

  /// A packet that lines behind may say more of.
  private struct Pending {
    var packet: MQTTLoggedPacket
    var program: Int
    var connection: [UInt8]
    var origin: Origin
  }

  /// What is known of a connection.
  private struct Connection {
    var isOpen = false
    /// For the SUBACK of the SUBSCRIBE that is open; empty where not all of it was told.
    var granted: [Int] = []
  }

  /// Programs that write this log.
  private var known: Set<Int> = []
  private var pending: Pending?
  private var connections: [[UInt8]: Connection] = [:]
  /// Of each program, the client whose lines these are, where its lines do not name it.
  private var current: [Int: [UInt8]] = [:]

  private static let programs = MQTTLogProgram.all

  var isKnown: Bool { !known.isEmpty }
  var waiting: Origin? { pending?.origin }

  /// Words of which one stands on each line that tells something.
  private static let words: [StaticString] = [
    "CONN", "PUB", "SUB", "PING", "DISC", "lient ", "Will ", "\t",
  ]

  func mayTell(_ line: RawSpan) -> Bool {
    if pending != nil { return true }
    var at = 0
    while at + 1 < line.byteCount {
      switch line.byte(at: at) {
      case UInt8(ascii: "C"), UInt8(ascii: "P"), UInt8(ascii: "S"), UInt8(ascii: "D"),
        UInt8(ascii: "l"), UInt8(ascii: "W"), 0x09:
        let rest = line.dropping(at)
        if Self.words.contains(where: { rest.starts(with: $0) }) { return true }
      default: break
      }
      at += 1
    }
    return false
  }

  // MARK: - Whose log it is

  mutating func look(at line: RawSpan) -> Bool {
    var isAny = false
    for (number, program) in Self.programs.enumerated() {
      for form in program.forms {
        if case .adds = form.role { continue }
        guard form.pattern.match(line, client: nil) != nil else { continue }
        if form.isCertain { known.insert(number) }
        isAny = true
        break
      }
    }
    return isAny
  }

  // MARK: - Reading

  mutating func read(
    _ line: RawSpan, _ origin: Origin, _ told: inout ContiguousArray<Narration>
  ) -> Bool {
    for (number, program) in Self.programs.enumerated() where known.contains(number) {
      for form in program.forms {
        switch form.role {
        case .adds(let type):
          guard pending?.program == number, pending?.packet.type == type,
            let values = match(form, line)
          else { continue }
          for value in values { pending?.packet.set(value.field, line[value.range]) }
          return true
        case .packet(let type, let direction):
          guard let values = form.pattern.match(line, client: nil) else { continue }
          var packet = MQTTLoggedPacket(type, direction)
          for value in values { packet.set(value.field, line[value.range]) }
          take(packet, number, origin, &told)
          return true
        case .ends(let direction, let reason):
          guard let values = form.pattern.match(line, client: nil) else { continue }
          settle(&told)
          var why = Array(reason.description.utf8)
          var client: [UInt8]?
          for value in values where value.field == .client { client = line[value.range].copied() }
          for value in values where value.field == .reason { why = line[value.range].copied() }
          let connection = client ?? current[number] ?? []
          end(connection, direction, why, number, origin, &told)
          return true
        }
      }
    }
    return false
  }

  private func match(_ form: MQTTLogForm, _ line: RawSpan) -> [MQTTLogPattern.Value]? {
    guard let client = pending?.packet.client else {
      return form.pattern.match(line, client: nil)
    }
    return form.pattern.match(line, client: client.span.bytes)
  }

  private mutating func take(
    _ packet: MQTTLoggedPacket, _ program: Int, _ origin: Origin,
    _ told: inout ContiguousArray<Narration>
  ) {
    if packet.type == .subscribe, pending?.program == program, let id = packet.id,
      pending?.packet.type == .subscribe, pending?.packet.id == id,
      pending?.packet.client == packet.client
    {
      // One line for each filter.
      pending?.packet.filters += packet.filters
      return
    }
    settle(&told)
    var origin = origin
    origin.direction = packet.direction
    if packet.type == .connect { current[program] = packet.client ?? [] }
    let connection = packet.client ?? current[program] ?? []
    let waiting = Pending(
      packet: packet, program: program, connection: connection, origin: origin)
    pending = waiting
    if !Self.mayGoOn(waiting) { settle(&told) }
  }

  /// Whether lines of the program may add something to such a packet.
  private static func mayGoOn(_ waiting: Pending) -> Bool {
    programs[waiting.program].forms.contains {
      if case .adds(let type) = $0.role { return type == waiting.packet.type }
      return false
    } || waiting.packet.type == .subscribe && waiting.packet.id != nil
  }

  mutating func settle(_ told: inout ContiguousArray<Narration>) {
    guard var waiting = pending.take() else { return }
    if connections.count >= Self.mostClients { connections = [:] }
    let name = waiting.connection
    let type = waiting.packet.type
    if type == .subscribe {
      // Refused filters are not printed, so that nobody knows which codes were sent.
      let granted = waiting.packet.codes
      connections[name, default: Connection()].granted =
        granted.count == waiting.packet.filters.count ? granted : []
      waiting.packet.codes = []
    } else if type == .suback && waiting.packet.codes.isEmpty {
      waiting.packet.codes = connections[name]?.granted ?? []
      connections[name]?.granted = []
    }
    var text = TextBuffer(capacity: 256)
    waiting.packet.write(to: &text)
    tell(
      .message(text.bytes.copied()), name, begins: type == .connect, waiting.program,
      waiting.origin, &told)
    connections[name, default: Connection()].isOpen = true
    let isRefused = type == .connack && waiting.packet.number(.code) ?? 0 > 0
    let isLeft = type == .disconnect && Self.programs[waiting.program].endsWithDisconnect
    if isRefused || isLeft {
      end(name, waiting.packet.direction, [], waiting.program, waiting.origin, &told)
    }
  }

  private mutating func end(
    _ name: [UInt8], _ by: Direction, _ reason: [UInt8], _ program: Int, _ origin: Origin,
    _ told: inout ContiguousArray<Narration>
  ) {
    guard connections[name]?.isOpen == true else { return }
    connections[name] = nil
    var text = TextBuffer(capacity: 64)
    if !reason.isEmpty {
      text.append(#"{"mqtt":"","ended":"#)
      text.append(jsonString: reason.span.bytes)
      text.append("}")
    }
    tell(.end(by, text.bytes.copied()), name, begins: false, program, origin, &told)
  }

  private func tell(
    _ event: Narration.Event, _ name: [UInt8], begins: Bool, _ program: Int, _ origin: Origin,
    _ told: inout ContiguousArray<Narration>
  ) {
    told.append(
      Narration(
        program: Self.programs[program].title, dialect: "mqtt",
        connection: String(decoding: name, as: Unicode.UTF8.self), begins: begins,
        origin: origin, event: event))
  }
}
