// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic
extension Finding.Code { static let reservedBits: Self = "websocket.reserved-bits" }
public struct WebSocketLayer: Layer {
  private var halves = (toServer: Half(), toClient: Half())
  private var above: any Layer
  struct Half { var carry: [UInt8] = []; var scratch = Scratch() }
  public init(carrying above: any Layer) { self.above = above }
  public mutating func receive(_ bytes: RawSpan, _ origin: Origin, _ listener: any Listener) {
    if origin.direction == .toServer {
      Self.frames(bytes, origin, &halves.toServer, &above, listener)
    } else {
      Self.frames(bytes, origin, &halves.toClient, &above, listener)
    }
  }
  private static func frames(
    _ bytes: RawSpan, _ origin: Origin, _ half: inout Half, _ above: inout any Layer,
    _ listener: any Listener
  ) {
    var done = 0
    if half.carry.isEmpty {
      done = walk(bytes, origin, &half.scratch, &above, listener)
      if done < bytes.byteCount { half.carry.append(bytes.extracting(done..<bytes.byteCount)) }
    } else {
      half.carry.append(bytes)
      let whole = half.carry
      done = walk(whole.span.bytes, origin, &half.scratch, &above, listener)
      half.carry.removeFirst(done)
    }
  }
  /// Passes on every whole frame; answers how many bytes they took.
  private static func walk(
    _ bytes: RawSpan, _ origin: Origin, _ scratch: inout Scratch, _ above: inout any Layer,
    _ listener: any Listener
  ) -> Int {
    var at = 0
    while true {
      var r = ByteReader(bytes.extracting(at..<bytes.byteCount))
      guard let b0 = r.integer(UInt8.self), let b1 = r.integer(UInt8.self) else { return at }
      var length = Int(b1 & 0x7f), key: UInt32 = 0
      if length == 126 {
        guard let n = r.integer(UInt16.self) else { return at }; length = Int(n)
      } else if length == 127 {
        guard let n = r.integer(UInt64.self) else { return at };
        length = Int(truncatingIfNeeded: n & 0x7fff_ffff)
      }
      if b1 & 0x80 != 0 {
        guard let k = r.integer(UInt32.self) else { return at }; key = k.byteSwapped
      }
      guard r.remaining >= length else { return at }
      let start = at + r.offset
      let body = bytes.extracting(start..<start + length)
      at = start + length
      if b0 & 0x70 != 0 { listener.finding(Finding(.reservedBits, origin)) }
      if b1 & 0x80 != 0 {
        scratch.unmask(body, with: key); above.receive(scratch.bytes, origin, listener)
      } else {
        above.receive(body, origin, listener)
      }
    }
  }
}
