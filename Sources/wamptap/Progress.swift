// SPDX-License-Identifier: Apache-2.0

/// One line on standard error about how far a long read has come, written over in place. It looks
/// at the clock once a chunk.
struct Progress {
  /// Nanoseconds until the line is shown, and between two of them.
  private static let patience: UInt64 = 1_000_000_000
  private static let pause: UInt64 = 200_000_000

  /// Bytes of all evidence; nil when not known, as of a pipe.
  var total: UInt64?
  private var done: UInt64 = 0
  private let start: UInt64
  private var due: UInt64
  private var isShown = false

  init() {
    start = Clock.now()
    due = start + Self.patience
  }

  mutating func advance(by octets: UInt64) {
    done += octets
    let now = Clock.now()
    if now < due { return }
    due = now + Self.pause
    isShown = true
    let line = Self.line(done: done, total: total, nanoseconds: now - start)
    Terminal.write("\r\(line)\u{1B}[K", to: .standardError)
  }

  /// Leaves no trace of it.
  mutating func clear() {
    if !isShown { return }
    isShown = false
    Terminal.write("\r\u{1B}[K", to: .standardError)
  }

  /// `43 %  412 MB of 958 MB  1.2 GB/s  0:12 left`.
  static func line(done: UInt64, total: UInt64?, nanoseconds: UInt64) -> String {
    let rate = Double(done) / (Double(max(nanoseconds, 1)) / 1e9)
    let speed = "\(size(rate))/s"
    // A file that grows while it is read is larger than it was.
    guard let total, done <= total, total > 0 else { return "\(size(Double(done)))  \(speed)" }
    let percent = UInt64(Double(done) / Double(total) * 100)
    let parts = "\(percent) %  \(size(Double(done))) of \(size(Double(total)))  \(speed)"
    guard rate > 0 else { return parts }
    let left = UInt64(min((Double(total - done) / rate).rounded(.up), 1e9))
    return "\(parts)  \(duration(left)) left"
  }

  /// `958 MB`, `1.2 GB`: two digits at least.
  static func size(_ octets: Double) -> String {
    var value = octets
    for unit in ["B", "kB", "MB", "GB"] {
      if value < 999.5 { return "\(number(value, isWhole: unit == "B")) \(unit)" }
      value /= 1000
    }
    return "\(number(value, isWhole: false)) TB"
  }

  private static func number(_ value: Double, isWhole: Bool) -> String {
    if isWhole || value >= 9.95 { return "\(UInt64(value.rounded()))" }
    let tenths = UInt64((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// `0:12`, `1:02:03`.
  static func duration(_ seconds: UInt64) -> String {
    func two(_ value: UInt64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    if hours == 0 { return "\(minutes):\(two(seconds % 60))" }
    return "\(hours):\(two(minutes)):\(two(seconds % 60))"
  }
}
