// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInflate
import TapTesting
import TapTraffic

@testable import TapWebSocket

/// One frame as it lies on the wire.
func frame(
  _ first: Int, _ payload: [UInt8], mask: [UInt8]? = nil, lengthOctets: Int? = nil
) -> [UInt8] {
  let count = payload.count
  let octets = lengthOctets ?? (count < 126 ? 1 : count < 0x1_0000 ? 2 : 8)
  let bit: UInt8 = mask == nil ? 0 : 0x80
  var bytes = [UInt8(first)]
  switch octets {
  case 1: bytes.append(bit | UInt8(count))
  case 2: bytes += [bit | 126, UInt8(count >> 8), UInt8(count & 255)]
  default: bytes += [bit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
  }
  guard let mask else { return bytes + payload }
  return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
}

func frame(_ first: Int, _ text: String, mask: [UInt8]? = nil) -> [UInt8] {
  frame(first, Array(text.utf8), mask: mask)
}

let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

/// A masking key for one of several frames.
func key(_ number: Int) -> [UInt8] { [UInt8(number & 255)] + key.dropFirst() }

/// What one of the stored blocks of deflate looks like (RFC 1951 §3.2.4), without the tail of RFC
/// 7692: compression that a test can read.
func stored(_ text: String) -> [UInt8] {
  let bytes = Array(text.utf8)
  let count = bytes.count
  let low = UInt8(count & 255)
  let high = UInt8(count >> 8)
  return [0, low, high, ~low, ~high] + bytes + [0]
}

/// "Hello" compressed, and compressed again by a reference to the first (RFC 7692 §7.2.3.1, .2).
let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
let helloAgain: [UInt8] = [0xF2, 0x00, 0x11, 0x00, 0x00]

/// A WebSocket connection that is fed to the layer, and what came of it.
final class WebSocketConversation {
  let recorder = Recorder()
  let lent: LayerLog
  var lines: [String] = []
  private(set) var fed = 0
  private var layer: WebSocketLayer
  private var offsets: [UInt64] = [0, 0, 0]
  /// Nanoseconds; unknown until a test sets it.
  var clock: Int64?

  init(deflate: Opening.Deflate? = nil, limits: Limits = Limits(), isFromStart: Bool = true) {
    let end = Endpoint(address: [10, 0, 0, 7], port: 50_000)
    var opening = Opening(.webSocket, client: end, server: end, isFromStart: isFromStart)
    opening.deflate = deflate
    lent = LayerLog(opening)
    layer = WebSocketLayer(
      opening, carrying: RecordingLayer(lent), limits: limits, isFromStart: isFromStart)
  }

  func send(_ direction: Direction, _ bytes: [UInt8], edges: Delivery.Edges = []) {
    layer.receive(bytes.span.bytes, delivery(direction, edges), recorder)
    offsets[Int(direction.rawValue)] += UInt64(bytes.count)
    fed += bytes.count
  }

  func gap(_ direction: Direction, _ missing: Int?) {
    layer.gap(missing, delivery(direction, []), recorder)
    offsets[Int(direction.rawValue)] += UInt64(missing ?? 0)
  }

  func finish(_ ending: Ending = .closed, _ direction: Direction = .toServer) {
    layer.finish(ending, delivery(direction, []), recorder)
  }

  /// The messages that were passed up: `text Hello`.
  var passed: [String] {
    lent.chunks.map {
      "\($0.delivery.kind) \(String(decoding: $0.bytes, as: Unicode.UTF8.self))"
    }
  }

  var codes: [String] { recorder.codes }

  var reportedBytes: Int { recorder[.reported] + layer.unaccounted }

  var accounted: Int { reportedBytes + recorder[.incomplete] + recorder[.skipped] }

  /// All that must not depend on how the stream was cut.
  var reported: [String] {
    passed + recorder.lines + recorder.findings.map(\.text) + [
      "told \(reportedBytes) incomplete \(recorder[.incomplete]) skipped \(recorder[.skipped])"
    ]
  }

  private func delivery(_ direction: Direction, _ edges: Delivery.Edges) -> Delivery {
    let origin = Origin(
      time: clock.map { Instant(nanoseconds: $0) } ?? .unknown, record: 1,
      offset: offsets[Int(direction.rawValue)], flow: 1, direction: direction)
    return Delivery(origin, edges: edges)
  }
}
