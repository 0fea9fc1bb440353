// SPDX-License-Identifier: Apache-2.0

/// Which of the files that were named are one log that was rotated: `app.log.2.gz`, `app.log.1` and
/// `app.log`. As logrotate, Python, log4j and the like name them: the higher the number, the older;
/// dates as they are; and what has neither is the newest.
enum RotatedLogs {
  /// What such a name says.
  private struct Name {
    /// The name of the current file, with its folder.
    var log: String
    var age: Age
  }

  private enum Age: Hashable {
    case current
    case number(Int)
    /// The date as it is written, and a number behind it, which grows.
    case date(String, Int)
  }

  /// Endings of captures and exports. Their packets and messages have reliable times, and are
  /// merged by these.
  private static let noLogs: Set<String> = [
    "pcap", "pcapng", "cap", "har", "flow", "flows", "mitm",
  ]

  /// Groups the indices of names that belong together, the oldest file first. The groups are in the
  /// order of their first names.
  ///
  /// - Parameter isFile: whether a name may be that of a file.
  static func group(_ names: [String], isFile: (Int) -> Bool) -> [[Int]] {
    if names.count == 1 { return [[0]] }
    var groups: [[(index: Int, age: Age)]] = []
    var places: [String: Int] = [:]
    for index in names.indices {
      guard isFile(index), let name = name(names[index]) else {
        groups.append([(index, .current)])
        continue
      }
      if let place = places[name.log] {
        groups[place].append((index, name.age))
      } else {
        places[name.log] = groups.count
        groups.append([(index, name.age)])
      }
    }
    return groups.flatMap(ordered)
  }

  /// Sorts a group by age; splits it up if the names do not show the ages.
  private static func ordered(_ group: [(index: Int, age: Age)]) -> [[Int]] {
    let ages = group.map(\.age)
    let hasNumbers = ages.contains { if case .number = $0 { true } else { false } }
    let hasDates = ages.contains { if case .date = $0 { true } else { false } }
    guard Set(ages).count == ages.count, hasNumbers != hasDates else {
      return group.map { [$0.index] }
    }
    return [group.sorted { isOlder($0.age, $1.age) }.map(\.index)]
  }

  private static func isOlder(_ one: Age, _ other: Age) -> Bool {
    switch (one, other) {
    case (.number(let one), .number(let other)): one > other
    case (.date(let one, let first), .date(let other, let second)):
      (one, first) < (other, second)
    case (.current, _): false
    case (_, _): true
    }
  }

  private static func name(_ path: String) -> Name? {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    var file = path[start...]
    if file.hasSuffix(".gz") { file = file.dropLast(3) }
    var name = Name(log: String(file), age: .current)
    let digits = #/(.+)\.(\d{1,3})/#
    // `app.log.2026-11-20`, `app.log-20261120_13`, `app-2026-11-20.0.log`
    let date =
      #/
      (.+?) [.\-_]
      ( (?:19|20)\d\d (-?) (?:0[1-9]|1[0-2]) \3 (?:0[1-9]|[12]\d|3[01])
        (?: [T_\-]? \d\d (?: [\-:]? \d\d ){0,2} )? )
      (?: \. (\d{1,3}) )? ( \. [A-Za-z]+ )?
      /#
    if let match = try? date.wholeMatch(in: file) {
      name.log = String(match.1) + (match.5.map(String.init) ?? "")
      name.age = .date(String(match.2), match.4.flatMap { Int($0) } ?? 0)
    } else if let match = try? digits.wholeMatch(in: file), let number = Int(match.2) {
      name = Name(log: String(match.1), age: .number(number))
    }
    let ending = name.log.split(separator: ".").last.map { $0.lowercased() } ?? ""
    if name.log.contains("."), noLogs.contains(ending) { return nil }
    name.log = path[..<start] + name.log
    return name
  }
}
