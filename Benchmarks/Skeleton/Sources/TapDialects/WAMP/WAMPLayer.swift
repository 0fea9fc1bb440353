// SPDX-License-Identifier: Apache-2.0
public import TapTraffic
internal import TapBytes
public struct WAMPLayer: Layer {
  public init() {}
  public mutating func receive(_ b: RawSpan, _ origin: Origin, _ listener: any Listener) {
    let n = b.byteCount
    guard n > 1, b.byte(at: 0) == 0x5b else {
      listener.finding(Finding("wamp.not-an-array", origin)); return
    }
    let e = b.arrayElements(), starts = e.s
    var code = 0, id: UInt64 = 0, j = 1
    while j < n, case let d = b.byte(at: j), d >= 48, d <= 57 {
      code = code &* 10 &+ Int(d &- 48); j &+= 1
    }
    j = starts.1
    while j < n, case let d = b.byte(at: j), d >= 48, d <= 57 {
      id = id &* 10 &+ UInt64(d &- 48); j &+= 1
    }
    switch code {
    case 48:
      listener.message(
        Message(
          name: "CALL", subject: starts.3..<max(starts.3, starts.4 &- 1), link: Link(.opens, 1, id),
          payload: starts.4..<n &- 1, origin: origin), b)
    case 50:
      listener.message(
        Message(
          name: "RESULT", subject: 0..<0, link: Link(.answers, 1, id), payload: starts.3..<n &- 1,
          origin: origin), b)
    case 16:
      listener.message(
        Message(
          name: "PUBLISH", subject: starts.3..<max(starts.3, starts.4 &- 1),
          link: Link(.opens, 1, id), payload: starts.4..<n &- 1, origin: origin), b)
    case 17:
      listener.message(
        Message(
          name: "PUBLISHED", subject: 0..<0, link: Link(.answers, 1, id),
          payload: starts.2..<n &- 1, origin: origin), b)
    default:
      listener.message(
        Message(name: "?", subject: 0..<0, link: Link(.none, 0, 0), payload: 0..<n, origin: origin),
        b)
    }
  }
}
