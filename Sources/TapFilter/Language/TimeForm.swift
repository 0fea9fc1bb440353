// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Parses times as users write them. A time without nanoseconds means its whole span: `11:42` is a
/// minute.
struct TimeForm {
  private var rest: Substring
  private let zone: @Sendable (Int64) -> Int64

  /// Nil when it is not a time.
  static func read(_ text: String, zone: @escaping @Sendable (Int64) -> Int64) -> Literal.Value? {
    if text.hasPrefix("+") {
      guard let span = Units.duration(text.dropFirst()) else { return nil }
      return .sinceStart(span, span)
    }
    var form = TimeForm(rest: text[...], zone: zone)
    return form.date() ?? form.clock()
  }

  /// `2026-11-25`, optionally with `T` and a time, in a zone or on the displayed clock.
  private mutating func date() -> Literal.Value? {
    let whole = rest
    guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
      1...12 ~= month, 1...31 ~= day
    else {
      rest = whole
      return nil
    }
    let midnight = CivilDate(year: year, month: month, day: day).days * 86_400
    if rest.isEmpty { return numbers(midnight, 0, 86_400_000_000_000, nil) }
    guard take("T") || take("t"), let (time, span) = time() else { return nil }
    let shift = offset()
    return rest.isEmpty ? numbers(midnight, time, span, shift) : nil
  }

  /// - Parameter shift: the zone's offset from UTC in seconds; nil for the displayed clock.
  private func numbers(
    _ midnight: Int64, _ time: Int64, _ span: Int64, _ shift: Int64?
  ) -> Literal.Value {
    let local = midnight + time / 1_000_000_000
    var ahead = shift ?? zone(local)
    // The offset may differ between these two times.
    if shift == nil { ahead = zone(local - ahead) }
    let start = (Int128(midnight) - Int128(ahead)) * 1_000_000_000 + Int128(time)
    return .numbers(start, start + Int128(span) - 1)
  }

  /// `11:42`, `11:42:07.5`.
  private mutating func clock() -> Literal.Value? {
    guard let (time, span) = time(), rest.isEmpty else { return nil }
    return .clock(Int128(time), Int128(time + span - 1))
  }

  /// Nanoseconds of the day, and the length of the span.
  private mutating func time() -> (Int64, Int64)? {
    guard let hour = digits(2), take(":"), let minute = digits(2), hour < 24, minute < 60 else {
      return nil
    }
    var time = (hour * 60 + minute) * 60_000_000_000
    guard take(":") else { return (time, 60_000_000_000) }
    guard let second = digits(2), second <= 60 else { return nil }
    time += second * 1_000_000_000
    guard take(".") else { return (time, 1_000_000_000) }
    var unit: Int64 = 1_000_000_000
    var count = 0
    while let digit = digits(1) {
      count += 1
      if count > 9 { return nil }
      unit /= 10
      time += digit * unit
    }
    return count == 0 ? nil : (time, unit)
  }

  private mutating func offset() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let isBehind = rest.hasPrefix("-")
    guard take("+") || take("-"), let hour = digits(2), take(":"), let minute = digits(2) else {
      return nil
    }
    return (hour * 3600 + minute * 60) * (isBehind ? -1 : 1)
  }

  private mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func digits(_ count: Int) -> Int64? {
    let text = rest.prefix(count)
    guard text.count == count, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    rest = rest.dropFirst(count)
    return Int64(text)
  }
}
