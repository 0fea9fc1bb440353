// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Directions that were captured with different clocks, or by different cards.
extension Transport {
  /// Swapped neighbours are normal for a network card with several queues; more of it means that
  /// two clocks differ.
  func reportSkew(_ listener: any Listener) {
    guard let first = shared.firstDisordered else { return }
    let count = shared.disordered
    let what = count == 1 ? "1 packet is" : "\(count) packets are"
    let milliseconds = (shared.lateness &+ 999_999) / 1_000_000
    var text =
      "\(what) in the capture behind an acknowledgement of it, by up to \(milliseconds) ms: "
    if shared.tooLate == 0 {
      text += "messages are shown in the order they were sent, and latencies are wrong by as much"
    } else {
      let late = shared.tooLate == 1 ? "1 of these was" : "\(shared.tooLate) of these were"
      let seconds = "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
      text +=
        "\(late) given up as missing before; if each direction is a capture of its own, set the"
        + " clock of the late one back and read both again: editcap -t"
        + " -\(seconds) late.pcap corrected.pcap"
    }
    listener.finding(
      .directionsApart, count < 5 ? .note : .warning, first.origin(flow: 0, .unknown, offset: 0),
      text)
  }
}
