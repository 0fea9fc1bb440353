// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reports the packets of log lines one by one: finds the client of each, and adds what later lines
/// say about it.
struct MQTTLogReporter {
  /// A packet that later lines may complete.
  private struct Pending {
    var packet: MQTTLoggedPacket
    var program: Int
    var connection: [UInt8]
    var origin: Origin
  }

  /// The state of a connection.
  private struct Connection {
    var isOpen = false
    /// It has only AUTH so far: mosquitto prints CONNECT once the client is known.
    var isAuthenticating = false
    /// What may name it before the packet on the line of its CONNECT: a logger of its own does.
    var words: [[UInt8]] = []
    /// It was said that lines may be of another one.
    var isMixed = false
    /// How many of a program that names none are open at once.
    var count = 0
    /// For the SUBACK of the open SUBSCRIBE; empty when not all codes are known.
    var granted: [Int] = []
  }

  /// The limit of clients: as many as connections may be open.
  private let most: Int
  private var pending: Pending?
  private var connections: [[UInt8]: Connection] = [:]
  /// The connection that one side has left, where a line may say later that it is closed, and its
  /// last packet.
  private var left: (name: [UInt8], by: Direction, program: Int, last: Origin)?
  /// What lines have described, until `passOn`.
  private var narrations = ContiguousArray<Narration>()
  /// For each program, the client of its lines when they do not name it.
  private var current: [Int: [UInt8]] = [:]

  /// The topics of received messages whose payload the client has not printed yet.
  private var printable: [[UInt8]] = []
  /// The last line of the client, if the next line may be such a payload.
  private var printsBelow: Origin?

  /// The broker's names for its connections to other brokers, on which it is the client.
  private var bridges: Set<[UInt8]> = []

  init(limits: Limits) { most = limits.connections }

  /// The limit of topics that are kept: as many messages as mosquitto takes at once.
  private static let mostPrintable = 20

  var waiting: Origin? { pending?.origin ?? printsBelow }

  /// Appends what was reported since the last call.
  mutating func passOn(to narrations: inout ContiguousArray<Narration>) {
    if self.narrations.isEmpty { return }
    narrations += self.narrations
    self.narrations.removeAll()
  }

  func mayAdd(to type: MQTTType, _ program: Int) -> Bool {
    pending?.program == program && pending?.packet.type == type
  }

  /// The required value of the client field in a line that adds something.
  func client(of form: MQTTLogForm) -> [UInt8]? {
    switch form.role {
    case .adds, .withdraws: pending?.packet.client
    default: nil
    }
  }

  /// Takes a line that is a message as a client prints it, `topic payload`, below its packet, or
  /// below what it has answered to that; false for any other line.
  mutating func takesPayload(_ line: RawSpan) -> Bool {
    if printable.isEmpty { return false }
    printsBelow = nil
    let known = printable.firstIndex {
      line.byteCount > $0.count && line.byte(at: $0.count) == .space
        && line.extracting(0..<$0.count).equals($0.span.bytes)
    }
    guard let known else {
      if let pending, pending.packet.type == .publish,
        MQTTLog.programs[pending.program].printsPayloads
      {
        settle()
      }
      return false
    }
    let topic = printable.remove(at: known)
    guard let pending, pending.packet.type == .publish, pending.packet.topic == topic else {
      return true
    }
    // Of several lines, this is the first.
    let payload = line.dropping(topic.count + 1)
    if payload.byteCount == pending.packet.number(.bytes) { add(.payload, payload) }
    settle()
    return true
  }

  private mutating func notePrintable(_ packet: MQTTLoggedPacket, _ program: Int, _ origin: Origin)
  {
    guard MQTTLog.programs[program].printsPayloads else { return }
    if packet.type == .publish, packet.direction == .toClient, let topic = packet.topic {
      if printable.count >= Self.mostPrintable { printable.removeFirst() }
      printable.append(topic)
    }
    if !printable.isEmpty { printsBelow = origin }
  }

  /// A line has a packet that cannot be read.
  mutating func noteUnread(
    _ text: RawSpan, _ direction: Direction, _ program: Int, _ origin: Origin
  ) {
    settle()
    var origin = origin
    origin.direction = direction
    report(.unread(text.copied()), [], program, origin)
  }

  mutating func noteBridge(_ client: [UInt8]) {
    if bridges.count >= most { bridges = [] }
    bridges.insert(client)
  }

  /// Reverses the direction if the connection is one on which the broker is the client: such lines
  /// look the same.
  func turn(_ packet: inout MQTTLoggedPacket) {
    guard let client = packet.client, bridges.contains(client) else { return }
    packet.direction = packet.direction.reversed
  }

  /// The name of the connection in the lines after its CONNECT.
  private func name(of packet: MQTTLoggedPacket) -> [UInt8] {
    let client = packet.client ?? []
    if packet.type == .connect, !bridges.isEmpty {
      // mosquitto.conf(5), local_clientid
      let local = Array("local.".utf8) + client
      return bridges.contains(local) ? local : client
    }
    return client
  }

  /// Whether the pending packet is a CONNECT without client identifier: the server assigns one, and
  /// the CONNACK on the next line has it.
  private func mayBeNamed(_ program: Int) -> Bool {
    guard let pending, pending.program == program, MQTTLog.programs[program].namesClients else {
      return false
    }
    return pending.packet.type == .connect && pending.connection.isEmpty
  }

  mutating func add(_ field: MQTTLogField, _ value: RawSpan) { pending?.packet.set(field, value) }

  /// The following lines are of this client.
  mutating func name(_ client: [UInt8], _ program: Int, _ origin: Origin) {
    endLeft()
    noteMix(with: client, program, origin)
    current[program] = client
  }

  /// A connection begins, of a program whose lines name none by themselves.
  private mutating func begin(
    _ connection: [UInt8], among names: [[UInt8]], _ program: Int, _ origin: Origin
  ) {
    let words = names.filter { $0 == connection || MQTTLogMargin.isLogger($0) }
    let before = connections[current[program] ?? []]?.words ?? []
    if !Self.areApart(words, before) { noteMix(with: connection, program, origin) }
    if connections.count >= most { connections = [:] }
    connections[connection, default: Connection()].words = words
    current[program] = connection
  }

  /// Whether each of two connections has a word before its CONNECT that the other has not.
  private static func areApart(_ one: [[UInt8]], _ other: [[UInt8]]) -> Bool {
    one.contains { !other.contains($0) } && other.contains { !one.contains($0) }
  }

  /// The client of a line of such a program.
  private mutating func current(_ margin: RawSpan, _ program: Int, _ origin: Origin) -> [UInt8] {
    let last = current[program] ?? []
    if connections.count < 2 { return last }
    for word in MQTTLogMargin.names(margin) {
      let named = connections.filter { $0.value.words.contains(word) }
      if named.count == 1 { return named.first!.key }
    }
    let words = connections[last]?.words ?? []
    let isOfEither = connections.contains {
      $0.key != last && $0.value.isOpen && Self.areApart($0.value.words, words)
    }
    if isOfEither, connections[last]?.isMixed == false {
      connections[last]?.isMixed = true
      report(.alsoMixed, last, program, origin)
    }
    return last
  }

  /// Another connection begins before the current one has ended.
  private mutating func noteMix(with connection: [UInt8], _ program: Int, _ origin: Origin) {
    let before = current[program] ?? []
    if connection != before, connections[before]?.isOpen == true {
      report(.mixed, before, program, origin)
    }
  }

  /// - Parameter margin: what stands before the packet on its line: time, source, level.
  mutating func take(
    _ packet: MQTTLoggedPacket, named margin: RawSpan, _ program: Int, _ origin: Origin
  ) {
    if packet.type == .subscribe, MQTTLog.programs[program].hasLineForEachFilter,
      mayAdd(to: .subscribe, program), let id = packet.id, pending?.packet.id == id,
      pending?.packet.client == packet.client
    {
      pending?.packet.filters += packet.filters
      return
    }
    if packet.type == .connack, mayBeNamed(program), let client = packet.client {
      pending?.connection = client
    }
    settle()
    if packet.type == .connect { endLeft() }
    var origin = origin
    origin.direction = packet.direction
    var connection = name(of: packet)
    if !MQTTLog.programs[program].namesClients {
      if packet.type == .connect {
        begin(connection, among: MQTTLogMargin.names(margin), program, origin)
      } else {
        connection = current(margin, program, origin)
      }
    }
    pending = Pending(packet: packet, program: program, connection: connection, origin: origin)
    notePrintable(packet, program, origin)
    let below = printsBelow
    if !mayContinue && !mayBeNamed(program) { settle() }
    printsBelow = below
  }

  /// Takes a packet of which all bytes are known.
  mutating func take(
    _ octets: [UInt8], _ direction: Direction, _ program: Int, _ origin: Origin
  ) {
    settle()
    var origin = origin
    origin.direction = direction
    let name = current[program] ?? []
    if connections.count >= most { connections = [:] }
    connections[name, default: Connection()].isOpen = true
    report(.octets(octets), name, program, origin)
  }

  /// A connection begins, without a name.
  mutating func open(_ program: Int, _ origin: Origin) {
    settle()
    let name = current[program] ?? []
    if connections.count >= most { connections = [:] }
    var connection = connections[name] ?? Connection()
    if connection.isOpen && connection.count == 0 { connection.count = 1 }
    connection.count += 1
    if connection.count > 1 && !connection.isMixed {
      connection.isMixed = true
      report(connection.isOpen ? .alsoMixed : .mixed, name, program, origin)
    }
    connections[name] = connection
  }

  /// Whether later lines may add to the pending packet.
  private var mayContinue: Bool {
    guard let pending else { return false }
    if pending.packet.type == .subscribe, pending.packet.id != nil,
      MQTTLog.programs[pending.program].hasLineForEachFilter
    {
      return true
    }
    if pending.packet.type == .publish, printsBelow != nil { return true }
    return MQTTLog.programs[pending.program].forms.contains {
      switch $0.role {
      case .adds(let type): type == pending.packet.type
      case .withdraws(let type):
        type == pending.packet.type && pending.packet.direction == .toClient
      default: false
      }
    }
  }

  /// The pending packet was not sent: it is too large for its receiver.
  mutating func withdraw(_ bytes: Int?, _ program: Int, _ origin: Origin) {
    guard let waiting = pending.take() else { return }
    var origin = origin
    origin.direction = waiting.origin.direction
    let words = MQTTLoggedDrop.text(waiting.packet.topic ?? [], bytes)
    report(.remark(words), waiting.connection, program, origin)
  }

  mutating func settle() {
    printsBelow = nil
    guard var waiting = pending.take() else { return }
    if connections.count >= most { connections = [:] }
    let name = waiting.connection
    let type = waiting.packet.type
    if type == .subscribe {
      // Refused filters are not printed, so the sent codes are not known.
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
    let connection = connections[name] ?? Connection()
    let begins =
      type == .auth ? !connection.isOpen : type == .connect && !connection.isAuthenticating
    let json = text.bytes.copied()
    report(
      waiting.packet.isAbridged ? .abridged(json) : .message(json), name, begins: begins,
      waiting.program, waiting.origin)
    connections[name, default: Connection()].isAuthenticating =
      type == .auth && (begins || connection.isAuthenticating)
    connections[name]?.isOpen = true
    if left?.name == name { left?.last = waiting.origin }
    let program = MQTTLog.programs[waiting.program]
    let isRefused = type == .connack && waiting.packet.number(.code) ?? 0 > 0
    let isLeft = type == .disconnect && program.endsWithDisconnect
    // If others are open, what comes next is rather of one of these.
    if isLeft, program.saysClose, connections.count(where: { $0.value.isOpen }) == 1 {
      left = (name, waiting.packet.direction, waiting.program, waiting.origin)
    } else if isRefused || isLeft {
      end(name, waiting.packet.direction, [], waiting.program, waiting.origin)
    }
  }

  /// Nothing more comes of the connection that one side has left.
  mutating func endLeft() {
    settle()
    guard let gone = left.take() else { return }
    end(gone.name, gone.by, [], gone.program, gone.last)
  }

  /// A connection has ended; `client` is nil for the current one.
  mutating func end(
    _ client: [UInt8]?, _ by: Direction, _ reason: [UInt8], _ program: Int, _ origin: Origin
  ) {
    settle()
    let name = client ?? current[program] ?? []
    let by = bridges.contains(name) ? by.reversed : by
    if let count = connections[name]?.count, count > 1 {
      // Another one goes on.
      connections[name]!.count = count - 1
      return
    }
    guard let connection = connections.removeValue(forKey: name), connection.isOpen else { return }
    if current[program] == name {
      // What comes next may be of the only one that goes on.
      let open = connections.filter(\.value.isOpen)
      current[program] = open.count == 1 ? open.first!.key : []
    }
    report(.end(by, MQTTLoggedEnd.text(reason.span.bytes)), name, program, origin)
  }

  private mutating func report(
    _ event: Narration.Event, _ name: [UInt8], begins: Bool = false, _ program: Int,
    _ origin: Origin
  ) {
    narrations.append(
      Narration(
        program: MQTTLog.programs[program].title, dialect: "mqtt",
        connection: String(decoding: name, as: Unicode.UTF8.self), begins: begins,
        origin: origin, event: event))
  }
}
