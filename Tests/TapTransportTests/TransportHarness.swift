// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic
import TapTransport

/// A transport with a clock, to which packets are shown one after the other.
struct TransportHarness {
  let chooser = RecordingChooser()
  let recorder = Recorder()
  var transport: Transport
  var linkType: UInt16 = 1
  var milliseconds: Int64 = 1_700_000_000_000
  var number: UInt64 = 0

  init(_ limits: Limits = Limits()) {
    transport = Transport(chooser: chooser, limits: limits)
  }

  /// - Parameter snapLength: how much of the packet is captured.
  mutating func show(_ packet: [UInt8], after wait: Int64 = 1, snapLength: Int = .max) {
    milliseconds += wait
    number += 1
    let captured = ContiguousArray(packet.prefix(snapLength))
    transport.receive(
      captured.span.bytes,
      Packet(
        time: Instant(nanoseconds: milliseconds * 1_000_000), number: number,
        originalLength: UInt32(packet.count), linkType: linkType), recorder)
  }

  mutating func show(_ packets: [[UInt8]]) { for packet in packets { show(packet) } }

  mutating func finish() { transport.finish(recorder) }

  var lent: LayerLog { chooser.all[0] }

  /// What the layer was told after `finish`.
  mutating func lines() -> [String] {
    finish()
    return chooser.all.first?.lines ?? []
  }

  /// Every captured byte is delivered or accounted for.
  var isBalanced: Bool {
    recorder[.payloadByte]
      == chooser.delivered + recorder[.repeated] + recorder[.afterClose] + recorder[.incomplete]
  }
}

func octets(_ text: String) -> [UInt8] { Array(text.utf8) }
