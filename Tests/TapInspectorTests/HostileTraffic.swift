// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInspector
import TapRender
import TapTesting
import TapTraffic
import Testing

/// Hostile packets through the whole stack, with limits that a test can reach.
struct HostileTraffic {
  let inspector: Inspector
  let limits: Limits
  private let engine: Engine
  private var number: UInt64 = 0

  init(_ change: (inout Limits) -> Void = { _ in }) {
    var options = Inspector.Options()
    change(&options.limits)
    limits = options.limits
    var line = LineRenderer.Options()
    (line.showsAll, line.showsNotes) = (true, true)
    inspector = Inspector(LineRenderer(line), options)
    engine = Engine(inspector, limits: options.limits)
  }

  mutating func show(_ packets: [CaptureBuilder.Timed]) {
    engine.receive(packets, before: number)
    number += UInt64(packets.count)
  }

  /// The end: every byte is in one place, and what was reported is answered.
  func finish() -> (lines: [String], summary: Summary) {
    engine.finish()
    var text = ""
    inspector.withText { text = String(decoding: $0.bytes.copied(), as: Unicode.UTF8.self) }
    let summary = inspector.summary
    let sum = Fate.allCases.reduce(0) { $0 + summary[$1] }
    #expect(sum == summary[.payloadByte])
    return (text.split(separator: "\n").map(String.init), summary)
  }

  /// One dialogue from its beginning to its end.
  static func read(
    _ talk: Dialogue, _ change: (inout Limits) -> Void = { _ in }
  ) -> (lines: [String], summary: Summary) {
    var attack = HostileTraffic(change)
    attack.show(talk.packets)
    return attack.finish()
  }
}
