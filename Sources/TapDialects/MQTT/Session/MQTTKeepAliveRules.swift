// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Checks keep alive: the client must send something within the interval, or the server closes; and
/// PINGREQ must be answered (MQTT 5.0 §3.1.2.10, §3.12). The interval is from the end of a packet
/// to the beginning of the next: a large one may take longer than that.
struct MQTTKeepAliveRules {
  /// Seconds; 0 for none.
  private(set) var interval = 0
  /// When the client last sent something, if only a part of a packet.
  private var lastHeard = Instant.unknown
  /// Its longest silence between packets since its last one, in nanoseconds.
  private var silence: Int64 = 0
  private var hasReported = false
  /// The client's longest silence in nanoseconds, how often it was too long, and the number of
  /// PINGREQs.
  private var longestSilence: Int64 = 0
  private var silences: UInt64 = 0
  private var pings: UInt64 = 0
  /// The PINGREQ without an answer.
  private var ping: Origin?

  /// Tolerance in nanoseconds.
  private static let grace: Int64 = 1_000_000_000
  /// Mosquitto looks for silent clients every five seconds.
  private static let betweenChecks: Int64 = 5_000_000_000

  /// Sets the interval of CONNECT, which CONNACK may override.
  mutating func agree(on seconds: UInt16) { interval = Int(seconds) }

  /// Packets of the client may have been missed.
  mutating func miss() { (lastHeard, silence) = (.unknown, 0) }

  /// Bytes of the client.
  ///
  /// - Parameter continues: a part of their packet had come before.
  @inline(__always)
  mutating func hear(_ time: Instant, continues: Bool) {
    if let since = time.nanoseconds(since: lastHeard) {
      // Of a packet that was searched for, later bytes may have been heard.
      if since < 0 { return }
      if !continues { silence = max(silence, since) }
    }
    lastHeard = time
  }

  /// A packet of the client.
  @inline(__always)
  mutating func send(
    _ origin: Origin, _ context: MQTTSessionContext, _ listener: any Listener
  ) {
    hear(origin.time, continues: false)
    if interval > 0 {
      longestSilence = max(longestSilence, silence)
      if silence > nanoseconds + Self.grace { reportSilence(silence, origin, context, listener) }
    }
    silence = 0
  }

  /// PINGREQ.
  mutating func ask(_ origin: Origin) {
    ping = ping ?? origin
    pings += 1
  }

  /// PINGRESP.
  mutating func answer() { ping = nil }

  @inline(never)
  private mutating func reportSilence(
    _ silence: Int64, _ origin: Origin, _ context: MQTTSessionContext, _ listener: any Listener
  ) {
    silences += 1
    guard context.knowsAll, context.hasConnack, !hasReported else { return }
    hasReported = true
    let isLong = silence > limit + Self.grace
    context.report(
      .mqttKeepAliveExceeded, isLong ? .warning : .note, origin,
      "keep alive \(interval) s, \(Self.seconds(silence)) without a packet"
        + (isLong ? " (1.5 times is \(Self.seconds(limit))), and the server did not close" : ""),
      isLong ? MQTTRule("3.1.2-24", "3.1.2-22") : MQTTRule("3.1.2-23", "3.1.2-20"), listener)
  }

  private var nanoseconds: Int64 { Int64(interval) * 1_000_000_000 }

  /// The silence after which the server must close, in nanoseconds.
  private var limit: Int64 { Int64(interval) * 1_500_000_000 }

  /// The server closes without DISCONNECT from the client: reports a silence that explains it.
  ///
  /// - Parameter will: the finding's words about the client's will.
  /// - Returns: whether it was reported.
  mutating func close(
    _ origin: Origin, will: String, _ context: MQTTSessionContext, _ listener: any Listener
  ) -> Bool {
    guard context.knowsAll, interval > 0, context.hasConnack, !context.isRefused,
      let silence = origin.time.nanoseconds(since: lastHeard),
      silence >= limit, silence <= limit + max(nanoseconds, Self.betweenChecks) + Self.grace
    else { return false }
    hasReported = true
    listener.finding(
      context.finding(
        .mqttKeepAliveClose, .warning, origin,
        "keep alive \(interval) s, \(Self.seconds(silence)) without a packet of the client"
          + " (1.5 times is \(Self.seconds(limit))): the server closed\(will)",
        MQTTRule("3.1.2-24", "3.1.2-22")))
    return true
  }

  /// Reports the agreed interval, and whether it was kept until the end.
  ///
  /// - Parameter isAwaited: the client has not sent DISCONNECT, and its packets were captured.
  mutating func reportAgreed(
    isAwaited: Bool, _ delivery: Delivery, _ context: MQTTSessionContext, _ listener: any Listener
  ) {
    guard context.hasConnack, interval > 0, !context.isRefused else { return }
    var agreed = KeepAlive("mqtt", .toServer, interval: nanoseconds)
    if isAwaited, let silence = delivery.origin.time.nanoseconds(since: lastHeard) {
      longestSilence = max(longestSilence, silence)
      if silence > agreed.interval + Self.grace { silences += 1 }
    }
    (agreed.signals, agreed.longestSilence, agreed.missed) = (pings, longestSilence, silences)
    listener.keepAlive(agreed, delivery)
  }

  /// Reports a PINGREQ without an answer at the end of the connection.
  func reportUnanswered(
    at end: Instant, _ context: MQTTSessionContext, _ listener: any Listener
  ) {
    guard let ping, let elapsed = end.nanoseconds(since: ping.time),
      elapsed >= min(5, Int64(max(interval, 1))) * 1_000_000_000
    else { return }
    listener.finding(
      context.finding(
        .mqttPingUnanswered, .warning, ping,
        "PINGREQ was not answered in \(Self.seconds(elapsed))", MQTTRule("3.12.4-1")))
  }

  /// `2.0 s`
  static func seconds(_ nanoseconds: Int64) -> String {
    let tenths = nanoseconds / 100_000_000 + nanoseconds % 100_000_000 / 50_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
