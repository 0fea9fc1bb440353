// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// A capture of days: whatever comes, what is kept of it is bounded, and what had to be forgotten
/// is counted.
@Suite("Endless captures") struct EndlessTests {
  /// Connections one after the other through the whole stack.
  private struct Endless {
    let inspector: Inspector
    let engine: Engine
    private var number: UInt64 = 0
    /// Nanoseconds since 1970.
    var clock: Int64 = 1_700_000_000_000_000_000

    init(_ limits: Limits) {
      var options = Inspector.Options()
      options.limits = limits
      var line = LineRenderer.Options()
      line.isQuiet = true
      inspector = Inspector(LineRenderer(line), options)
      engine = Engine(inspector, limits: limits)
    }

    mutating func show(_ packet: [UInt8]) {
      number += 1
      clock += 1_000_000
      let octets = ContiguousArray(packet)
      engine.packet(
        octets.span.bytes,
        Packet(
          time: Instant(nanoseconds: clock), number: number, originalLength: UInt32(octets.count),
          linkType: 1))
    }

    /// What was rendered since the last time.
    func lines() -> [String] {
      var text = ""
      inspector.withText {
        text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self)
        $0.removeAll()
      }
      return text.split(separator: "\n").map { String($0) }
    }
  }

  private static func endpoints(_ number: Int) -> Conversation {
    var talk = Conversation(clientPort: UInt16(1024 + number % 60_000))
    talk.client.address[1] = UInt8(truncatingIfNeeded: number / 60_000)
    return talk
  }

  @Test("connections that nobody closes") func connections() {
    var limits = Limits()
    limits.connections = 512
    var endless = Endless(limits)
    for number in 0..<100_000 {
      var talk = Self.endpoints(number)
      for packet in talk.handshake() { endless.show(packet) }
      endless.show(talk.send(.toServer, [UInt8](repeating: 0, count: 8)))
    }
    let summary = endless.inspector.summary
    #expect(summary.evicted >= 100_000 - 512 && summary.evicted < 100_000)
    #expect(summary.notes >= 100)
    endless.engine.finish()
    let end = endless.inspector.summary
    // Every byte is somewhere.
    #expect(end[.payloadByte] == 800_000 && end[.unread] + end[.incomplete] == 800_000)
    #expect(end[.stream] == 100_000)
  }

  /// Subjects that never come again fill a table that only the latest of them need.
  @Test("subjects without end") func subjects() {
    var limits = Limits()
    limits.subjectBytes = 4096
    var endless = Endless(limits)
    var dialogue = Dialogue()
    dialogue.open()
    dialogue.text(.toServer, #"[1,"chat",{"roles":{"subscriber":{},"caller":{}}}]"#)
    dialogue.text(.toClient, #"[2,7,{"roles":{"broker":{},"dealer":{}}}]"#)
    dialogue.text(.toServer, #"[32,1,{},"com.chat.stays"]"#)
    dialogue.text(.toClient, "[33,1,5862354]")
    for call in 2...3000 {
      dialogue.text(.toServer, #"[48,\#(call),{},"com.user.\#(call).get.something.long"]"#)
      dialogue.text(.toClient, "[50,\(call),{}]")
    }
    dialogue.text(.toClient, #"[36,5862354,9000000001,{}]"#)
    for packet in dialogue.packets { endless.show(packet.bytes) }
    let lines = endless.lines()
    // Each answer has its procedure, and the event, at last, its topic.
    let results = lines.filter { $0.contains("RESULT") }
    #expect(results.count == 2999)
    for (index, line) in results.enumerated() {
      #expect(line.contains("com.user.\(index + 2).get.something.long"))
    }
    #expect(lines.last { $0.contains("EVENT") }?.contains("com.chat.stays") == true)
    #expect(endless.inspector.summary.evicted == 0)
  }

  /// Subjects that all stay open leave no room: the older half goes, and is counted.
  @Test("names without end") func names() {
    var limits = Limits()
    limits.subjectBytes = 4096
    var endless = Endless(limits)
    var dialogue = Dialogue()
    dialogue.open()
    dialogue.text(.toServer, #"[1,"chat",{"roles":{"subscriber":{}}}]"#)
    dialogue.text(.toClient, #"[2,7,{"roles":{"broker":{}}}]"#)
    for number in 1...1000 {
      dialogue.text(.toServer, #"[32,\#(number),{},"com.chat.room.\#(number)"]"#)
      dialogue.text(.toClient, "[33,\(number),\(9_000_000_000 + number)]")
    }
    dialogue.text(.toClient, "[36,9000001000,1,{}]")
    dialogue.text(.toClient, "[36,9000000001,2,{}]")
    for packet in dialogue.packets { endless.show(packet.bytes) }
    let events = endless.lines().filter { $0.contains("EVENT") && $0.contains(" ← ") }
    #expect(events.count == 2)
    #expect(events.first?.contains("com.chat.room.1000") == true)
    #expect(events.last?.contains("com.chat.room") == false)
    #expect(endless.inspector.summary.evicted > 500)
  }
}
