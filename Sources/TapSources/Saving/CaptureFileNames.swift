// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The file names of a rotated capture, as in tcpdump(1).
struct CaptureFileNames {
  private let path: String
  private let rotation: CaptureFile.Rotation
  /// Counts files since the beginning, or since the time in the name changed.
  private var number = 0
  /// The time in the current name, in seconds since 1970.
  private(set) var begin: Int64

  init(_ path: String, _ rotation: CaptureFile.Rotation, now: Int64) {
    (self.path, self.rotation, begin) = (path, rotation, now)
  }

  /// The name of the current file.
  var current: String {
    let base = rotation.seconds == nil ? path : Self.dated(path, begin)
    guard rotation.bytes != nil, number > 0 || digits > 0 else { return base }
    let text = String(number)
    return base + String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
  }

  /// Next file, because this one has reached its size.
  mutating func advance() {
    number += 1
    // In a ring, the first is overwritten. Names with times are always new.
    if let files = rotation.files, rotation.seconds == nil, number >= files { number = 0 }
  }

  /// Next file, because its time has come.
  mutating func advance(to now: Int64) { (number, begin) = (0, now) }

  /// The number of digits, so that names sort.
  private var digits: Int {
    guard let files = rotation.files else { return 0 }
    return String(max(files - 1, 0)).utf8.count
  }

  /// The conversions of strftime(3), in local time.
  private static func dated(_ format: String, _ seconds: Int64) -> String {
    var time = time_t(seconds)
    var local = tm()
    guard localtime_r(&time, &local) != nil else { return format }
    var room = [CChar](repeating: 0, count: format.utf8.count * 8 + 256)
    let count = strftime(&room, room.count, FileName.system(format), &local)
    if count == 0 { return format }
    return FileName.text(room[..<count].map { UInt8(bitPattern: $0) })
  }
}
