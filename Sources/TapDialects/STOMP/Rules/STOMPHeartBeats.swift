// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The heart-beat intervals that both sides agreed on, and whether they keep them (STOMP 1.2,
/// "Heart-beating"). Any byte is a sign of life.
struct STOMPHeartBeats {
  /// One direction.
  struct Side {
    /// Nanoseconds; 0 when none was agreed on.
    var interval: Int64 = 0
    var last = Instant.unknown
    /// The longest time without a byte since the agreement, in nanoseconds.
    var longest: Int64 = 0
    /// The number of heart-beats, without frames.
    var beats = 0
    var missed = 0
    /// The other side has spoken in a silence that is too long already. It is reported when it
    /// ends, as only what comes next shows whether something was not captured.
    var isOverdue = false
    var hasReportedUnasked = false

    func silence(at time: Instant) -> Int64? {
      guard last.isKnown && time.isKnown && time >= last else { return nil }
      return time.nanoseconds &- last.nanoseconds
    }
  }

  /// `heart-beat` of CONNECT: how often the client can send, and wants to receive, in milliseconds.
  private var asked: (sends: Int, wants: Int)?
  private(set) var isAgreed = false
  private var toServer = Side()
  private var toClient = Side()
  /// Bytes of either direction were not captured.
  private var hasGaps = false
  /// Either direction has capture times.
  private var hasTimes = false

  /// - Returns: nil when the header is not two numbers.
  static func read(_ value: RawSpan) -> (sends: Int, wants: Int)? {
    guard let comma = value.firstIndex(of: UInt8(ascii: ",")),
      let sends = STOMPFrame.number(value.extracting(0..<comma)),
      let wants = STOMPFrame.number(value.dropping(comma + 1))
    else { return nil }
    return (sends, wants)
  }

  mutating func connect(_ header: (sends: Int, wants: Int)?) { asked = header ?? (0, 0) }

  /// CONNECTED came.
  mutating func agree(_ server: (sends: Int, wants: Int)?) {
    guard let asked else { return }
    let server = server ?? (0, 0)
    toServer.interval = Self.interval(sends: asked.sends, wants: server.wants)
    toClient.interval = Self.interval(sends: server.sends, wants: asked.wants)
    isAgreed = true
  }

  private static func interval(sends: Int, wants: Int) -> Int64 {
    if sends == 0 || wants == 0 { return 0 }
    return Int64(min(max(sends, wants), 1 << 40)) * 1_000_000
  }

  mutating func miss() {
    hasGaps = true
    (toServer.last, toServer.isOverdue) = (.unknown, false)
    (toClient.last, toClient.isOverdue) = (.unknown, false)
  }

  /// Bytes came from one side: the other may have been silent for too long.
  mutating func noteActivity(_ origin: Origin, _ listener: any Listener) {
    hasTimes = hasTimes || origin.time.isKnown
    if origin.direction == .toServer {
      Self.hear(&toServer, origin, listener)
      if toClient.interval > 0 { Self.judge(&toClient, origin) }
    } else {
      Self.hear(&toClient, origin, listener)
      if toServer.interval > 0 { Self.judge(&toServer, origin) }
    }
  }

  @inline(__always)
  private static func hear(
    _ side: inout Side, _ origin: Origin, _ listener: any Listener
  ) {
    if side.interval > 0, let silence = side.silence(at: origin.time) {
      side.longest = max(side.longest, silence)
      if side.isOverdue && silence > 2 &* side.interval {
        report(&side, origin.direction, silence, origin, listener)
      }
    }
    // Held frames are reported after later bytes, so time may go backwards.
    if side.silence(at: origin.time) == nil && side.last.isKnown && origin.time.isKnown { return }
    (side.last, side.isOverdue) = (origin.time, false)
  }

  @inline(__always)
  private static func judge(_ side: inout Side, _ origin: Origin) {
    if let silence = side.silence(at: origin.time), silence > 2 &* side.interval {
      side.isOverdue = true
    }
  }

  @inline(never)
  private static func report(
    _ side: inout Side, _ direction: Direction, _ silence: Int64, _ origin: Origin,
    _ listener: any Listener
  ) {
    side.missed += 1
    listener.finding(
      .stompHeartBeatMissed, .warning, origin,
      "the \(name(direction)) was silent for \(seconds(silence)); it agreed to send"
        + " something every \(seconds(side.interval))")
  }

  /// A heart-beat; not the EOL after a frame.
  mutating func beat(_ origin: Origin, knowsAll: Bool, _ listener: any Listener) {
    if origin.direction == .toServer {
      Self.beat(&toServer, origin, isAgreed && knowsAll, listener)
    } else {
      Self.beat(&toClient, origin, isAgreed && knowsAll, listener)
    }
  }

  private static func beat(
    _ side: inout Side, _ origin: Origin, _ isSure: Bool, _ listener: any Listener
  ) {
    side.beats += 1
    guard side.interval == 0, isSure, !side.hasReportedUnasked else { return }
    side.hasReportedUnasked = true
    listener.remark(
      .stompHeartBeatUnasked, .note, origin,
      "the \(name(origin.direction)) sends heart-beats that were not agreed on")
  }

  /// - Parameter by: the side that ended the connection.
  mutating func finish(
    _ ending: Ending, by: Direction, _ delivery: Delivery, _ listener: any Listener
  ) {
    if !isAgreed { return }
    Self.finish(&toServer, .toServer, ending, by: by, delivery, listener)
    Self.finish(&toClient, .toClient, ending, by: by, delivery, listener)
    let sides = [(Direction.toServer, toServer), (.toClient, toClient)]
      .filter { $0.1.interval > 0 }
    if sides.isEmpty { return }
    let gaps = hasGaps ? ", as far as it was captured" : ""
    listener.finding(
      .stompHeartBeats, .note, delivery.origin,
      "agreed\(gaps): " + sides.map { words($0.0, $0.1) }.joined(separator: "; "))
    if !hasTimes { return }
    for (direction, side) in sides {
      var agreed = KeepAlive("stomp", direction, interval: side.interval)
      (agreed.signals, agreed.missed) = (UInt64(side.beats), UInt64(side.missed))
      agreed.longestSilence = side.longest
      listener.keepAlive(agreed, delivery)
    }
  }

  /// A silence that lasts to the end.
  private static func finish(
    _ side: inout Side, _ direction: Direction, _ ending: Ending, by: Direction,
    _ delivery: Delivery, _ listener: any Listener
  ) {
    guard side.interval > 0, let silence = side.silence(at: delivery.origin.time) else { return }
    let closer = direction.reversed
    if silence > 2 * side.interval && ending != .endOfEvidence && by == closer {
      side.missed += 1
      listener.finding(
        .stompHeartBeatMissed, .error, delivery.origin,
        "the \(name(closer)) ended the connection after the \(name(direction)) had been silent"
          + " for \(seconds(silence)); it agreed to send something every"
          + " \(seconds(side.interval))")
    } else if side.isOverdue {
      report(&side, direction, silence, delivery.origin, listener)
    } else {
      return
    }
    side.longest = max(side.longest, silence)
  }

  private func words(_ direction: Direction, _ side: Side) -> String {
    let sent =
      "the \(Self.name(direction)) every \(Self.seconds(side.interval)), \(side.beats) sent"
    // Without times it cannot be checked.
    if !hasTimes { return sent }
    let kept = side.missed == 0 ? "kept" : "missed \(Self.times(side.missed))"
    return "\(sent), longest silence \(Self.seconds(side.longest)), \(kept)"
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  static func name(_ direction: Direction) -> StaticString {
    direction == .toServer ? "client" : "server"
  }

  /// `1 s`, `1.502 s`.
  static func seconds(_ nanoseconds: Int64) -> String {
    let isWhole = nanoseconds / 1_000_000 % 1000 == 0
    return DurationText.seconds(UInt64(clamping: nanoseconds), places: isWhole ? 0 : 3) + " s"
  }
}
