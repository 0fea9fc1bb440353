// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// Finds the times of events since 1970: the browser counts seconds since the machine was started,
/// and says for some of them what the clock showed.
struct BrowserClock {
  /// What shows when the count began: the greater, the better.
  enum Anchor: Int {
    case none
    /// When an event was fetched: at that time, or some time before.
    case fetched
    /// When a page asked for something: it is noted a moment later.
    case request
    /// When a handshake of WebSocket was sent.
    case handshake
  }

  /// Machines are set by less while they run.
  private static let mostDrift: Int64 = 1_000_000_000

  private var anchor = Anchor.none
  /// Nanoseconds since 1970 when the count began.
  private var start: Int64 = 0

  /// Takes what an event shows; answers by how many nanoseconds the times before it were wrong.
  ///
  /// - Parameter mayMove: whether these times can still be put right.
  mutating func take(_ event: borrowing BrowserEvent, mayMove: Bool) -> Int64 {
    guard let count = event.time, let shown = event.wallTime ?? event.fetched else { return 0 }
    let found: Anchor =
      event.wallTime == nil ? .fetched : event.kind == .handshakeSent ? .handshake : .request
    let begin = shown.instant.nanoseconds &- count.instant.nanoseconds
    let difference = begin &- start
    if anchor == .none || found.rawValue > anchor.rawValue && mayMove {
      (anchor, start) = (found, begin)
      return difference
    }
    // The machine was started again.
    if found.rawValue > Anchor.fetched.rawValue && difference.magnitude > Self.mostDrift {
      (anchor, start) = (found, begin)
    }
    return 0
  }

  /// When an event was. Without anything to count from, times are those since the start.
  func time(_ event: borrowing BrowserEvent) -> ExportTime? {
    guard var time = event.time else { return event.fetched }
    time.instant.nanoseconds &+= start
    return time
  }
}
