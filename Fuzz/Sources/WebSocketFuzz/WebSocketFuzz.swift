// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import TapTraffic
import TapWebSocket

/// With any frames, and gaps: each byte is accounted for once. Without gaps and compression, the
/// messages are those of a direct implementation.
@_cdecl("WebSocketFuzz_main")
func main(_ count: Int32, _ arguments: Arguments) -> Int32 {
  drive(count, arguments) { bytes in
    guard let mode = bytes.first else { return }
    var opening = Opening(.webSocket, isFromStart: mode & 1 == 0)
    if mode & 4 != 0 {
      var deflate = Opening.Deflate()
      deflate.clientKeepsContext = mode & 8 == 0
      deflate.serverKeepsContext = mode & 16 == 0
      deflate.serverWindowBits = mode & 32 == 0 ? 15 : 9
      opening.deflate = deflate
    }
    let isTight = mode & 2 != 0
    var messages: [[[UInt8]]] = [[], []]
    expectAccounted(
      UnsafeRawBufferPointer(rebasing: bytes[1...]),
      // The limit of waiting data counts pieces too.
      mayCut: { _ in !isTight },
      prepare: { bench in
        messages = [[], []]
        if mode & 7 != 0 { return }
        bench.onBytes = { bytes, delivery, _ in
          let octets = bytes.withUnsafeBytes { Array($0) }
          messages[Int(delivery.origin.direction.rawValue)].append(octets)
        }
      }
    ) {
      WebSocketLayer(
        opening, carrying: $0.reader(ofMessages: true), limits: isTight ? .tight : Limits(),
        isFromStart: opening.isFromStart, reportsFrames: mode & 64 != 0)
    } finish: { bench in
      if mode & 7 != 0 { return }
      for direction in [Direction.toServer, .toClient] {
        guard let sent = bench.sentWhole(direction) else { return }
        let reported = messages[Int(direction.rawValue)]
        let read = PlainFrames.messages(in: sent, isMasked: direction == .toServer)
        if !reported.starts(with: read) {
          fail("\(direction): \(reported.count) messages do not begin with these: \(read)")
        }
      }
    }
  }
}
