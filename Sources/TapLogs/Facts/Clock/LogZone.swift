// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Names of time zones that mean one offset everywhere. CST, IST and BST mean several: times with
/// them count as times without a zone.
enum LogZone {
  private static let names: [(name: StaticString, minutes: Int)] = [
    ("UTC", 0), ("GMT", 0), ("WET", 0), ("WEST", 60), ("CET", 60), ("CEST", 120), ("EET", 120),
    ("EEST", 180), ("MSK", 180), ("EST", -300), ("EDT", -240), ("CDT", -300), ("MST", -420),
    ("MDT", -360), ("PST", -480), ("PDT", -420), ("AKST", -540), ("AKDT", -480), ("HST", -600),
    ("JST", 540), ("KST", 540), ("AEST", 600), ("AEDT", 660), ("ACST", 570), ("AWST", 480),
    ("NZST", 720), ("NZDT", 780), ("SGT", 480), ("HKT", 480), ("SAST", 120),
  ]

  /// Seconds ahead of UTC of a name; nil for any other word.
  static func offset(_ name: RawSpan) -> Int? {
    // Most times are followed by another word. Names of zones are short and end in T, C or K.
    guard name.byteCount == 3 || name.byteCount == 4 else { return nil }
    let last = name.byte(at: name.byteCount - 1)
    guard last == UInt8(ascii: "T") || last == UInt8(ascii: "C") || last == UInt8(ascii: "K")
    else { return nil }
    return names.first { name.equals($0.name) }.map { $0.minutes * 60 }
  }
}
