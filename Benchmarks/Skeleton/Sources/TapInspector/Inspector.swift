// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic
import TapDialects
import TapWebSocket
import TapRender
/// Hears every message of every connection, joins it with its request, renders it at once.
public final class Inspector: Listener {
  var pending = PendingTable()
  var subjects: [[UInt8]] = [[]]
  var interned: [Int: Int32] = [:]
  var lastHash = 0, lastID: Int32 = 0
  var renderer = LineRenderer()
  public var text = TextBuffer()
  public func write() { text.flush(to: 1) }
  public var count = 0
  public init() {}
  func intern(_ b: RawSpan) -> Int32 {
    var h = 0xcbf2; for i in 0..<b.byteCount { h = (h ^ Int(b.byte(at: i))) &* 0x100000001b3 }
    if h == lastHash { return lastID }
    lastHash = h
    if let k = interned[h] { lastID = k; return k }
    var a: [UInt8] = []; a.append(b); subjects.append(a); let k = Int32(subjects.count - 1);
    interned[h] = k; lastID = k; return k
  }
  public func message(_ m: Message, _ b: RawSpan) {
    count += 1
    var subject: Int32 = 0, latency: Int64 = -1
    switch m.link.role {
    case .opens:
      subject = intern(b.extracting(m.subject));
      pending.insert(
        Pending(
          key: m.link.key, time: m.origin.time.nanoseconds, index: UInt32(count), subject: subject))
    case .answers:
      if let p = pending.remove(m.link.key) {
        subject = p.subject; latency = m.origin.time.nanoseconds - p.time
      }
    default: break
    }
    let s = subjects[Int(subject)]
    renderer.render(m, s.span.bytes, latency, b, into: &text)
  }
  public func finding(_ f: Finding) { renderer.render(f, into: &text) }
}
public func stack() -> any Layer { WebSocketLayer(carrying: WAMPLayer()) }
