// SPDX-License-Identifier: Apache-2.0

/// Which end of a connection wrote a line, where one log may have lines of both.
enum LogEnd: Hashable {
  /// The one whose lines come first, or the only one.
  case first
  case other
  /// Both write, and the line does not say which of them.
  case either
}

/// The sides, client or server, that the lines of each source have shown. A process may be both.
struct LogSides {
  private struct Source: Hashable {
    /// Index of the first format of its family.
    let format: Int
    let name: String
  }

  private struct Shown {
    let first: LogFormat.Side
    var last: LogFormat.Side
    var areBoth = false
  }

  /// Sources that are remembered.
  private static let most = 1024

  private var shown: [Source: Shown] = [:]

  /// A line has named its side.
  mutating func note(_ side: LogFormat.Side, _ format: Int, _ source: String) {
    let key = Source(format: LogFormats.family(format), name: source)
    guard var known = shown[key] else {
      if shown.count >= Self.most { shown.removeAll() }
      shown[key] = Shown(first: side, last: side)
      return
    }
    if known.last == side { return }
    (known.last, known.areBoth) = (side, true)
    shown[key] = known
  }

  /// The end that wrote a line.
  ///
  /// - Parameter side: that it has named.
  func end(_ side: LogFormat.Side, _ format: Int, _ source: String) -> LogEnd {
    let known = shown[Source(format: LogFormats.family(format), name: source)]
    return known == nil || known!.first == side ? .first : .other
  }

  /// The side and the end of a line that names none, of a program whose other lines do.
  func elsewhere(
    _ direction: LogDirection, _ format: Int, _ source: String
  ) -> (side: LogFormat.Side, end: LogEnd) {
    guard let known = shown[Source(format: LogFormats.family(format), name: source)] else {
      return (.unknown, .first)
    }
    if !known.areBoth { return (known.first, .first) }
    // What is decoded was received just before; what is encoded is sent only later.
    guard direction == .received else { return (.unknown, .either) }
    return (known.last, known.last == known.first ? .first : .other)
  }
}
