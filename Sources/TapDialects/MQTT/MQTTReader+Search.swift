// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Finds packets again after a gap, or where a connection was joined midway.
extension MQTTReader {
  /// Searches for the next packet, again each time the packet boundary is lost.
  static func search(
    _ half: inout Half, _ session: inout MQTTSession, _ carrier: Carrier,
    _ listener: any Listener
  ) {
    while half.isLost {
      let begins = half.mayBegin && beginsPacket(&half, level: session.level)
      let start =
        begins
        ? 0
        : MQTTSearch.firstPacket(
          in: half.held, to: half.direction, level: session.level, &half.places)
      guard let start else { return }
      continueSearch(from: start, &half, &session, carrier, listener)
    }
  }

  /// Whether the first message, and those behind it, begin with a whole packet.
  private static func beginsPacket(_ half: inout Half, level: UInt8) -> Bool {
    if half.held.count == 0 { return false }
    switch MQTTSearch.place(half.held.bytes.bytes, at: 0, to: half.direction, level: level) {
    case .packet, .connect: return true
    case .begins: return false
    case .none:
      half.mayBegin = false
      return false
    }
  }

  /// Continues with a packet that was found.
  private static func continueSearch(
    from start: Int, _ half: inout Half, _ session: inout MQTTSession, _ carrier: Carrier,
    _ listener: any Listener
  ) {
    half.places = MQTTSearch.Places()
    let origin = half.held.origin(at: start)
    if start > 0 { carrier.account(.skipped, start, listener) }
    half.passed += start
    if let finding = half.resumed(at: origin) { listener.finding(finding) }
    half.noteFound()
    half.held.removeFirst(start)
    cut(&half, &session, carrier, listener)
  }

  static func giveUp(_ half: inout Half, _ carrier: Carrier, _ listener: any Listener) {
    // Keep the newest half: it may contain the beginning of a packet.
    let count = max(1, half.held.count / 2)
    carrier.account(.skipped, count, listener)
    half.passed += count
    half.mayBegin = false
    half.held.removeFirst(count)
    half.places = MQTTSearch.Places()
    half.room.giveBack()
  }
}

extension MQTTReader.Half {
  /// The finding that packets were found again; nil when nothing was lost before them.
  fileprivate func resumed(at origin: Origin) -> Finding? {
    if (loss == nil || isLossCounted) && passed == 0 { return nil }
    var text = "packets were recognised again at byte \(origin.offset) of the stream"
    if passed > 0 {
      text += "; \(counted(passed, "byte")) before that belong to packets that are not whole"
    }
    var finding = Finding(.mqttResumed, loss == nil ? .note : .warning, origin, text)
    guard let loss, !isLossCounted else { return finding }
    let about = loss.estimate(skipped: passed, seen, in: &finding)
    let size = loss.bytes.map { counted($0, "byte") } ?? "an unknown number of bytes"
    finding.text =
      "\(size) were not captured, \(about) \(finding.lostMessages)"
      + " \(finding.lostMessages == 1 ? "packet" : "packets"); " + text
    return finding
  }
}
