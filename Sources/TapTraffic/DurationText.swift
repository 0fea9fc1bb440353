// SPDX-License-Identifier: Apache-2.0

/// Durations as findings and reports write them; digits that are not shown are cut off, not
/// rounded.
public enum DurationText {
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1000),
  ]

  /// `312 ms`, `1.25 s`, with three decimals at most.
  public static func text(_ nanoseconds: Int64) -> String {
    guard let unit = units.first(where: { nanoseconds >= $0.nanoseconds }) else {
      return "\(nanoseconds) ns"
    }
    let thousandths = nanoseconds / (unit.nanoseconds / 1000)
    return "\(decimal(UInt64(thousandths), places: 3, dropsZeros: true)) \(unit.name)"
  }

  /// Seconds: `1.250`, with zeros dropped `1.25`.
  ///
  /// - Parameter places: decimals, up to 9.
  public static func seconds(
    _ nanoseconds: UInt64, places: Int, dropsZeros: Bool = false
  ) -> String {
    let unit = (places..<9).reduce(1 as UInt64) { unit, _ in unit * 10 }
    return decimal(nanoseconds / unit, places: places, dropsZeros: dropsZeros)
  }

  private static func decimal(_ value: UInt64, places: Int, dropsZeros: Bool) -> String {
    var digits = String(value)
    digits = String(repeating: "0", count: max(places + 1 - digits.count, 0)) + digits
    let whole = digits.dropLast(places)
    var rest = digits.suffix(places)
    if dropsZeros { while rest.last == "0" { rest.removeLast() } }
    return rest.isEmpty ? String(whole) : "\(whole).\(rest)"
  }
}
