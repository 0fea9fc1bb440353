// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
public import TapTraffic
/// Packets of one capture to ordered bytes per connection (enough of it to measure).
public struct Transport {
  struct Half { var next: UInt32 = 0; var known = false; var upgraded = false }
  struct Connection { var a = Half(), b = Half(); var above: any Layer }
  private var connections: ContiguousArray<Connection> = []
  private var slots: ContiguousArray<(key: UInt64, extra: UInt64, index: Int32)> = .init(
    repeating: (0, 0, -1), count: 1024)
  private let make: () -> any Layer
  public init(_ make: @escaping () -> any Layer) { self.make = make }
  private mutating func find(_ x: UInt64, _ y: UInt64) -> Int {
    var i = Int(truncatingIfNeeded: ((x ^ y) &* 0x9E37_79B9_7F4A_7C15) >> 40) & (slots.count &- 1)
    while slots[i].index >= 0 {
      if slots[i].key == x && slots[i].extra == y { return Int(slots[i].index) };
      i = (i &+ 1) & (slots.count &- 1)
    }
    connections.append(Connection(above: make())); slots[i] = (x, y, Int32(connections.count - 1));
    return connections.count - 1
  }
  public mutating func receive(
    _ p: RawSpan, time: Instant, record: UInt32, _ listener: any Listener
  ) {
    guard p.byteCount >= 54 else { return }
    @inline(__always) func u16(_ o: Int) -> Int { Int(p.byte(at: o)) << 8 | Int(p.byte(at: o + 1)) }
    @inline(__always) func u32(_ o: Int) -> UInt32 { UInt32(u16(o)) << 16 | UInt32(u16(o + 2)) }
    guard u16(12) == 0x800 else { return }
    let ihl = Int(p.byte(at: 14) & 15) * 4, total = u16(16), t = 14 + ihl,
      off = Int(p.byte(at: t + 12) >> 4) * 4
    let length = total - ihl - off
    if length <= 0 { return }
    let src = UInt64(u32(26)) << 16 | UInt64(u16(t)),
      dst = UInt64(u32(30)) << 16 | UInt64(u16(t + 2))
    let i = find(min(src, dst), max(src, dst))
    let seq = u32(t + 4)
    let toServer = u16(t + 2) == 8080
    if toServer {
      if connections[i].a.known && connections[i].a.next != seq { return }
      connections[i].a.known = true; connections[i].a.next = seq &+ UInt32(length)
      if !connections[i].a.upgraded { connections[i].a.upgraded = true; return }
    } else {
      if connections[i].b.known && connections[i].b.next != seq { return }
      connections[i].b.known = true; connections[i].b.next = seq &+ UInt32(length)
      if !connections[i].b.upgraded { connections[i].b.upgraded = true; return }
    }
    let s = t + off
    connections[i].above.receive(
      p.extracting(s..<s + length),
      Origin(record: record, direction: toServer ? .toServer : .toClient, time: time, offset: 0),
      listener)
  }
}
