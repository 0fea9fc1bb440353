// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// When missing bytes are no longer waited for.
extension Reassembler {
  /// Why a hole is given up.
  enum Reason {
    case acknowledged
    case patience
    case tooMuch
    case crowded
    case reset
    case replaced
    case evicted
    case end

    var text: String {
      switch self {
      case .acknowledged: "although the receiver acknowledged them"
      case .patience: "and did not come in time"
      case .tooMuch: "and too much waits behind them"
      case .crowded: "and too much waits behind holes in all connections together"
      case .reset: "before the connection was reset"
      case .replaced: "before the ports were used again"
      case .evicted: "before the connection had to be forgotten"
      case .end: "by the end of the capture"
      }
    }
  }

  /// Gives up the first thing that is waited for.
  static func giveUpOne(
    _ half: inout Half, _ above: inout any Layer, _ context: StreamContext, _ shared: inout Shared,
    _ listener: any Listener
  ) {
    let due = half.due(shared.clock)
    giveUp(
      due.end, due.isAcknowledged ? .acknowledged : .patience, &half, &above, context, &shared,
      listener)
  }

  /// Passes on what need not wait for the other end any more.
  static func release(
    _ half: inout Half, _ above: inout any Layer, _ context: StreamContext,
    _ listener: any Listener,
    reached: Instant
  ) {
    if half.waiting.isEmpty { return }
    drain(&half, &above, context, listener, reached: reached)
    finishLate(&half, &above, context, listener)
  }

  /// Updates what is waited for after something was given up.
  static func settle(
    _ half: inout Half, _ above: inout any Layer, _ context: StreamContext, _ shared: Shared,
    _ listener: any Listener
  ) {
    var now = context.stamp
    now.clock = shared.clock
    half.watch(now, shared)
    finishLate(&half, &above, context, listener)
  }

  /// Reports that the bytes up to `end` are missing, and passes on those that waited after them.
  static func giveUp(
    _ end: Int64, _ reason: Reason, _ half: inout Half, _ above: inout any Layer,
    _ context: StreamContext,
    _ shared: inout Shared, _ listener: any Listener
  ) {
    let before = half.waiting.cost
    if half.isHeld {
      half.letGo()
      drain(&half, &above, context, listener)
      shared.waitingBytes &+= half.waiting.cost &- before
      return
    }
    if useDamaged(&half, &above, context, &shared, listener) { return }
    if half.isStray(shared.clock) {
      dropStrays(before: (half.waiting.first?.start ?? half.fin) &+ 1, &half, context, listener)
      shared.waitingBytes &+= half.waiting.cost &- before
      return
    }
    let resumes = half.waiting.first?.stamp
    let own = context.seen(
      resumes ?? (reason == .acknowledged ? half.witness : nil) ?? context.stamp)
    reportGap(end, reason, resumes, half, own, listener)
    let edges: Delivery.Edges = resumes == nil ? [] : .more
    above.gap(Int(end &- half.offset), own.delivery(half.offset, edges: edges), listener)
    half.remember(
      Half.Hole(
        start: half.offset, end: end, isOnlyAcknowledged: half.isOnlyAcknowledged,
        acknowledgedAt: reason == .acknowledged ? half.witness?.clock ?? .max : .max))
    half.advance(end &- half.offset)
    drain(&half, &above, context, listener)
    shared.waitingBytes &+= half.waiting.cost &- before
  }

  private static func reportGap(
    _ end: Int64, _ reason: Reason, _ resumes: PacketStamp?, _ half: Half, _ context: StreamContext,
    _ listener: any Listener
  ) {
    let missing = end &- half.offset
    let cut = max(0, min(half.cutUntil, end) &- half.offset)
    let why: String
    if cut >= missing {
      why = "cut by the snap length"
    } else if cut > 0 {
      why = "\(cut) of them cut by the snap length, the others not captured, \(reason.text)"
    } else {
      why = "not captured, \(reason.text)"
    }
    let verb = missing == 1 ? "is" : "are"
    var text =
      "\(counted(missing, "byte")) \(context.directionWords) \(verb) missing at offset"
    text += " \(half.offset) of the stream: \(why)"
    if let resumes { text += "; the stream goes on in packet \(resumes.number)" }
    var finding = Finding(.gap, .note, context.delivery(half.offset).origin, text)
    finding.lostBytes = UInt64(missing)
    listener.finding(finding)
  }
}
