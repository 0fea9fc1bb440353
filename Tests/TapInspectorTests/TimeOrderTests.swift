// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapCaptures
import TapEvidence
import TapRender
import TapTesting
import TapTraffic
import Testing

@testable import TapInspector

/// What is recognised late stands where it was captured.
@Suite("Time order") struct TimeOrderTests {
  private func lines(
    _ packets: [CaptureBuilder.Timed], ordersByTime: Bool = true, _ limits: Limits = Limits()
  ) -> [String] {
    var options = Inspector.Options()
    options.limits = limits
    var shown = LineRenderer.Options()
    shown.showsNotes = true
    let inspector = Inspector(LineRenderer(shown), options)
    let engine = Engine(inspector, limits: limits, ordersByTime: ordersByTime)
    var capture = Dialogue()
    capture.packets = packets
    var input = PcapInput(Place(input: 0), limits: limits)
    input.receive(capture.pcap().span.bytes, engine)
    input.finish(engine)
    engine.finish()
    var text = ""
    inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    return text.split(separator: "\n").map(String.init)
  }

  /// The times of messages, as printed.
  private func times(_ lines: [String]) -> [Double] {
    lines.filter { $0.hasPrefix("  ") && !$0.contains(" !  ") }
      .compactMap { Double($0.split(separator: " ")[0]) }
  }

  private func merged(_ one: Dialogue, _ other: Dialogue) -> [CaptureBuilder.Timed] {
    (one.packets + other.packets).sorted { $0.time < $1.time }
  }

  /// A connection joined midway, whose frames are believed when there are several of them; and one
  /// that is known all the time.
  private var midway: [CaptureBuilder.Timed] {
    var late = Dialogue(Conversation(clientPort: 50_001))
    var known = Dialogue()
    known.open()
    known.step = 10_000_000
    late.step = 25_000_000
    for number in 1...4 {
      known.text(.toServer, "[48,\(number),{},\"com.slow\",[]]")
      late.text(.toClient, number < 4 ? "h" : "[36,5512,71,{},[\"midway\"]]")
    }
    for number in 5...12 { known.text(.toServer, "[48,\(number),{},\"com.slow\",[]]") }
    return merged(known, late)
  }

  @Test("a connection that is recognised late") func joinedMidway() {
    let (ordered, heard) = (lines(midway), lines(midway, ordersByTime: false))
    #expect(times(ordered) == times(ordered).sorted())
    #expect(times(heard) != times(heard).sorted())
    #expect(times(ordered) == times(heard).sorted())
    // The connection stands ahead of all that it says.
    let opened = ordered.firstIndex { $0.hasPrefix("#") && $0.contains(":50001 ") }
    let first = ordered.firstIndex { $0.contains("midway") }
    #expect(opened ?? .max < first ?? -1)
  }

  @Test("what waits behind a hole has the time at which it could be read") func hole() {
    var holed = Dialogue()
    var other = Dialogue(Conversation(clientPort: 50_001))
    holed.open()
    other.open()
    for number in 1...4 { holed.text(.toServer, "[48,\(number),{},\"com.slow\",[]]") }
    for number in 1...6 { other.text(.toServer, "[48,\(number),{},\"com.other\",[]]") }
    // The first of them is sent again, at last.
    var packets = holed.packets
    var again = packets.remove(at: packets.count - 4)
    again.time += 50_000_000
    holed.packets = packets + [again]
    let seen = times(lines(merged(holed, other)))
    #expect(seen == seen.sorted())
    #expect(seen.suffix(4) == [seen.max(), seen.max(), seen.max(), seen.max()])
  }

  @Test("what is not captured is waited for, and puts nothing off") func lost() {
    var holed = Dialogue()
    var other = Dialogue(Conversation(clientPort: 50_001))
    holed.open()
    other.open()
    for number in 1...4 { holed.text(.toServer, "[48,\(number),{},\"com.slow\",[]]") }
    holed.packets.remove(at: holed.packets.count - 4)
    for number in 1...6 { other.text(.toServer, "[48,\(number),{},\"com.other\",[]]") }
    let packets = merged(holed, other)
    let (ordered, heard) = (times(lines(packets)), times(lines(packets, ordersByTime: false)))
    #expect(ordered == heard.sorted() && heard != heard.sorted())
  }

  @Test("more than is held") func bound() {
    var limits = Limits()
    limits.heldEvents = 3
    let seen = lines(midway, limits)
    #expect(seen.count { $0.contains("capture.out-of-time") } == 1)
    #expect(times(seen).count == times(lines(midway)).count)
    #expect(!lines(midway).contains { $0.contains("capture.out-of-time") })
  }

  @Test("nothing of a connection stands ahead of its beginning") func beginning() {
    let inspector = Inspector(LineRenderer(LineRenderer.Options()), Inspector.Options())
    let order = TimeOrder(inspector, Limits())
    func at(_ time: Int64, _ flow: UInt32) -> Origin {
      var origin = Origin(time: Instant(nanoseconds: time), flow: flow)
      origin.direction = .toClient
      return origin
    }
    order.waiting(from: at(0, 2))
    order.waiting(from: at(1, 1))
    order.opened(
      Opening(.webSocket, client: .unknown, server: .unknown, isFromStart: true),
      Delivery(at(5, 1)))
    // A second hole, of bytes that were captured before its handshake was over.
    order.caughtUp(at(5, 1))
    order.waiting(from: at(3, 1))
    let text = Array("{}".utf8)
    order.message(Message("json", "MESSAGE", at(4, 1)), text.span.bytes, Span())
    order.finish()
    var shown = ""
    inspector.withText { shown = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    #expect(shown.split(separator: "\n").map { $0.contains("MESSAGE") } == [false, true])
  }
}
