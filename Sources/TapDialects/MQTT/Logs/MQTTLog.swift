// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reads log lines that describe MQTT packets: each packet becomes the JSON that stands for it in
/// this program's machine output, as far as the lines show it.
struct MQTTLog: NarratedLog {
  /// The limit of an object over several lines, in bytes.
  private static let longest = 64 << 10
  /// The limit of line prefixes per program.
  private static let mostShapes = 64

  /// An object whose lines are not complete yet.
  private struct Unfinished {
    var packet: MQTTLoggedPacket
    var text: [UInt8]
    var program: Int
    var origin: Origin
    /// The prefix of its first line.
    var shape: NarratedMargin
  }

  static let programs = MQTTLogProgram.all

  /// Recognised programs, by index, with the prefixes of their lines. An ambiguous line counts as a
  /// program's if it has one of these prefixes.
  private var known: [Int: Set<NarratedMargin>] = [:]
  private var reporter: MQTTLogReporter
  /// Fields that earlier lines gave for the next packet of a type.
  private var prepared: [MQTTType: [(field: MQTTLogField, value: [UInt8])]] = [:]
  private var unfinished: Unfinished?
  /// The silencers whose lines were seen.
  private var layers: Set<String> = []

  init(limits: Limits) { reporter = MQTTLogReporter(limits: limits) }

  var isKnown: Bool { !known.isEmpty }
  var waiting: Origin? { unfinished?.origin ?? reporter.waiting }

  /// Every relevant line contains one of these words.
  private static let words: [StaticString] = [
    "CONN", "PUB", "SUB", "PING", "PONG", "DISC", "AUTH", "lient ", "Will ", "mqtt", "payload [",
    "variableHeader [", "packet: b", "NEW ID: ", "MQTT ", "MQT: ", "message on ", "ridge con",
  ]

  /// The first three bytes of these.
  private static let beginnings = OctetTriples(
    words.map { word in
      var triple = OctetTriples.Kind()
      triple.insert(first: word.utf8Start[0])
      triple.insert(second: word.utf8Start[1])
      triple.insert(third: word.utf8Start[2])
      return triple
    })

  func mayReport(_ line: RawSpan) -> Bool {
    var block = 0
    while block < line.byteCount {
      var hits = Self.beginnings.places(in: line, from: block)
      while hits != 0 {
        let rest = line.dropping(block + hits.trailingZeroBitCount)
        hits &= hits &- 1
        if Self.words.contains(where: { rest.starts(with: $0) }) { return true }
      }
      block += 64
    }
    return false
  }

  mutating func look(at line: RawSpan) -> Bool {
    let line = line.extracting(0..<Self.end(line))
    var isAny = false
    for number in Self.programs.indices where known[number] == nil {
      let forms = Self.programs[number].forms
      for place in forms.indices {
        switch forms[place].role {
        case .adds, .withdraws, .hides: continue
        default: break
        }
        guard let match = forms[place].pattern.match(line, client: nil) else { continue }
        if forms[place].isCertain {
          known[number] = [NarratedMargin(line.extracting(0..<match.start))]
        }
        isAny = true
        break
      }
    }
    return isAny
  }

  // MARK: - Reading

  mutating func read(
    _ line: RawSpan, _ origin: Origin, _ narrations: inout ContiguousArray<Narration>
  ) -> Bool {
    let line = line.extracting(0..<Self.end(line))
    defer { reporter.passOn(to: &narrations) }
    if goesOn(line) { return true }
    for (number, program) in Self.programs.enumerated() where known[number] != nil {
      for words in program.layers where line.firstIndex(of: words) != nil {
        layers.insert(words.description)
      }
      for form in program.forms {
        switch form.role {
        case .adds(let type), .withdraws(let type):
          if !reporter.mayAdd(to: type, number) { continue }
        default: break
        }
        guard let match = form.pattern.match(line, client: reporter.client(of: form)),
          isOf(number, form, NarratedMargin(line.extracting(0..<match.start)))
        else { continue }
        take(form, match, line, number, origin)
        return true
      }
    }
    return reporter.takesPayload(line)
  }

  /// Whether a line is of a program, by its prefix.
  private mutating func isOf(
    _ program: Int, _ form: MQTTLogForm, _ shape: NarratedMargin
  ) -> Bool {
    if form.isCertain && known[program]!.count < Self.mostShapes { known[program]!.insert(shape) }
    return form.isCertain || known[program]!.contains(shape)
  }

  private mutating func take(
    _ form: MQTTLogForm, _ match: MQTTLogPattern.Match, _ line: RawSpan, _ number: Int,
    _ origin: Origin
  ) {
    let values = match.values
    switch form.role {
    case .hides: return
    case .bridges:
      for value in values { reporter.noteBridge(line[value.range].copied()) }
    case .adds: for value in values { reporter.add(value.field, line[value.range]) }
    case .withdraws:
      let bytes = values.first { $0.field == .bytes }
      reporter.withdraw(bytes.flatMap { MQTTLogNotation.number(line[$0.range]) }, number, origin)
    case .prepares(let type):
      for value in values {
        prepared[type]?.removeAll { $0.field == value.field }
        prepared[type, default: []].append((value.field, line[value.range].copied()))
        if value.field == .client { reporter.name(line[value.range].copied(), number, origin) }
      }
    case .packet(let type, let direction):
      var packet = MQTTLoggedPacket(type, direction)
      for (field, value) in form.facts { packet.set(field, value) }
      // Such logs give the packet identifier before the packet itself.
      if values.contains(where: { $0.field == .type }) || form.silencer.utf8CodeUnitCount > 0 {
        prepare(&packet, as: .publish)
      }
      if type == .unsubscribe { prepare(&packet, as: .unsubscribe) }
      if layers.contains(form.silencer.description) { return }
      for value in values {
        let text = line[value.range]
        if value.field == .object && !MQTTLogObject.isWhole(text) {
          let shape = NarratedMargin(line.extracting(0..<match.start))
          unfinished = Unfinished(
            packet: packet, text: text.copied(), program: number, origin: origin, shape: shape)
          return
        }
        packet.set(value.field, text)
      }
      if let client = packet.client, form.isOfBridge { reporter.noteBridge(client) }
      if !form.isOfBridge { reporter.turn(&packet) }
      report(packet, named: line.extracting(0..<match.start), number, origin)
    case .octets(let direction):
      var packet: [UInt8] = []
      var first: UInt8?
      for value in values {
        let text = line[value.range]
        if value.field == .packet { packet = MQTTLogNotation.bytes(text) }
        if value.field == .firstByte {
          first = MQTTLogNotation.number(text).flatMap { UInt8(exactly: $0) }
        }
      }
      guard let first else { return }
      reporter.take(MQTTHeader.packet(first, packet), direction, number, origin)
    case .opens: reporter.open(number, origin)
    case .closes: reporter.endLeft()
    case .unread(let direction):
      // The client may be the first of it; what is unread is the last.
      let start = values.last?.range.start ?? match.start
      reporter.noteUnread(line.dropping(start), direction, number, origin)
    case .ends(let direction, let reason):
      var why = Array(reason.description.utf8)
      var client: [UInt8]?
      for value in values where value.field == .client { client = line[value.range].copied() }
      for value in values where value.field == .reason { why = line[value.range].copied() }
      reporter.end(client, direction, why, number, origin)
    }
  }

  private mutating func prepare(_ packet: inout MQTTLoggedPacket, as type: MQTTType) {
    for (field, value) in prepared.removeValue(forKey: type) ?? [] {
      packet.set(field, value.span.bytes)
    }
  }

  private mutating func report(
    _ packet: MQTTLoggedPacket, named margin: RawSpan, _ number: Int, _ origin: Origin
  ) {
    var packet = packet
    if packet.type == .connect { prepare(&packet, as: .connect) }
    reporter.take(packet, named: margin, number, origin)
  }

  /// Continues an object; false when the line is not part of one.
  private mutating func goesOn(_ line: RawSpan) -> Bool {
    guard let object = unfinished else { return false }
    // Records over several lines leave blank ones between those of the program.
    if line.isEmpty { return true }
    guard let start = MQTTLogObject.next(line, object.shape),
      object.text.count + line.byteCount < Self.longest
    else {
      endObject()
      return false
    }
    unfinished!.text.append(.lineFeed)
    unfinished!.text += line.dropping(start).copied()
    if MQTTLogObject.isWhole(unfinished!.text.span.bytes) { endObject() }
    return true
  }

  /// Reports the object as far as it was read.
  private mutating func endObject() {
    guard let object = unfinished.take() else { return }
    var packet = object.packet
    if packet.set(object: object.text.span.bytes) {
      let margin = object.text.span.bytes.extracting(0..<0)
      report(packet, named: margin, object.program, object.origin)
    }
  }

  /// On a terminal, the library `debug` appends the elapsed time to each line: ` +3ms`.
  private static func end(_ line: RawSpan) -> Int {
    var at = line.byteCount
    while at > 0, line.byte(at: at - 1).isAlpha { at -= 1 }
    let unit = line.byteCount - at
    let digits = at
    while at > 0, line.byte(at: at - 1).isDigit { at -= 1 }
    guard 1...2 ~= unit, digits > at, at > 2, line.byte(at: at - 1) == UInt8(ascii: "+"),
      line.byte(at: at - 2) == .space, line.firstIndex(of: "mqtt") != nil
    else { return line.byteCount }
    return at - 2
  }

  mutating func settle(_ narrations: inout ContiguousArray<Narration>) {
    endObject()
    reporter.settle()
    reporter.endLeft()
    reporter.passOn(to: &narrations)
  }
}
