// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTesting
import TapTraffic

@testable import TapRawSocket

/// One frame as it lies on the wire.
func frame(_ first: Int, _ payload: [UInt8]) -> [UInt8] {
  let count = payload.count
  return [UInt8(first), UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)] + payload
}

func frame(_ first: Int, _ text: String) -> [UInt8] { frame(first, Array(text.utf8)) }

/// A message in JSON.
func message(_ text: String) -> [UInt8] { frame(0, text) }

/// JSON, 16 MiB.
let greeting: [UInt8] = [0x7F, 0xF1, 0, 0]

/// A RawSocket connection that is fed to the layer, and what came of it.
final class RawSocketConversation {
  let recorder = Recorder()
  let chooser = RecordingChooser()
  private(set) var fed = 0
  private var layer: RawSocketLayer
  private var offsets: [UInt64] = [0, 0, 0]

  init(limits: Limits = Limits()) {
    layer = RawSocketLayer(Self.stream, chooser, limits: limits)
  }

  /// In mid-stream.
  init(serializer: UInt8) {
    let opening = RawSocketLayer.opening(midstream: Self.stream, serializer: serializer)
    layer = RawSocketLayer(midstream: opening, chooser, serializer: serializer, limits: Limits())
  }

  private static let stream = Opening(
    .stream, client: Endpoint(address: [10, 0, 0, 7], port: 50_000),
    server: Endpoint(address: [10, 0, 0, 1], port: 8080), isFromStart: true)

  /// With both handshakes behind it.
  static func open(_ client: [UInt8] = greeting, _ server: [UInt8] = greeting)
    -> RawSocketConversation
  {
    let talk = RawSocketConversation()
    talk.send(.toServer, client)
    talk.send(.toClient, server)
    return talk
  }

  func send(_ direction: Direction, _ bytes: [UInt8], edges: Delivery.Edges = []) {
    layer.receive(bytes.span.bytes, delivery(direction, edges), recorder)
    offsets[Int(direction.rawValue)] += UInt64(bytes.count)
    fed += bytes.count
  }

  /// In a segment of its own.
  func segment(_ direction: Direction, _ bytes: [UInt8]) {
    send(direction, bytes, edges: [.start, .end])
  }

  func gap(_ direction: Direction, _ missing: Int?) {
    layer.gap(missing, delivery(direction, []), recorder)
    offsets[Int(direction.rawValue)] += UInt64(missing ?? 0)
  }

  func finish(_ ending: Ending = .closed, _ direction: Direction = .toServer) {
    layer.finish(ending, delivery(direction, []), recorder)
  }

  /// Another layer stands in the place of that of the handshakes.
  var isSettled: Bool { if case .by = layer.settlement { true } else { false } }

  var opening: Opening? { chooser.all.first?.opening }

  /// The messages that were passed up: `text Hello`.
  var passed: [String] {
    chooser.all.flatMap(\.chunks).map {
      "\($0.delivery.kind) \(String(decoding: $0.bytes, as: Unicode.UTF8.self))"
    }
  }

  var codes: [String] { recorder.codes }
  var reportedBytes: Int { recorder[.reported] + layer.unaccounted }

  var accounted: Int {
    reportedBytes + recorder[.incomplete] + recorder[.skipped] + recorder[.unread]
  }

  /// All that must not depend on how the stream was cut.
  var reported: [String] {
    passed + recorder.lines + recorder.findings.map { "\($0.origin.offset) \($0.text)" } + [
      "told \(reportedBytes) incomplete \(recorder[.incomplete]) skipped \(recorder[.skipped])"
    ]
  }

  private func delivery(_ direction: Direction, _ edges: Delivery.Edges) -> Delivery {
    let origin = Origin(
      record: 1, offset: offsets[Int(direction.rawValue)], flow: 1, direction: direction)
    return Delivery(origin, edges: edges)
  }
}
