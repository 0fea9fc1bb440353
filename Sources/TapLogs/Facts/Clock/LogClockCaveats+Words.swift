// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence
internal import TapTraffic

/// What is said of the times of a log: as findings, and in its summary.
extension LogClockCaveats {
  /// What findings say of some of it.
  func texts(of kinds: Kinds) -> [String] {
    var texts: [String] = []
    if !kinds.isDisjoint(with: [.zone, .year, .date]) {
      texts.append("the times of this log have \(missing)")
    }
    if kinds.contains(.unread) {
      texts.append("the date of line \(unread.line) is not understood: its time is left out")
    }
    if kinds.contains(.order) { texts.append(disorder) }
    return texts
  }

  private var missing: String {
    let zone = zoneless > 0 ? " and no time zone" : ""
    if hasWholeFirst && yearless + dateless > 0 {
      return "no date, or no year, on some lines: they are taken from the lines before"
    }
    if dateless > 0 { return "no date\(zone): they are shown as of 1970-01-01, UTC" }
    if yearless > 0 { return "no year\(zone): they are shown as of 1970, UTC" }
    return "no time zone: they are taken as UTC"
  }

  /// Why dates written as numbers are in doubt.
  private var disorder: String {
    if contradiction > 0 {
      return "dates of this log have the day first and the month first, line"
        + " \(contradiction) otherwise than those before: what may be either is a guess"
    }
    let (first, other) = guess == .dayFirst ? ("day", "month") : ("month", "day")
    return
      "\(counted(guessed, "date")) of this log were read with the \(first) first before"
      + " one showed that the \(other) is: times until then are wrong by months"
  }

  /// What is to be known of the times, in a few words; nil when there is nothing.
  var remark: String? {
    var parts: [String] = []
    if let precision {
      if precision == 0 { parts.append((finest > 0 ? "some " : "") + "in whole seconds") }
      parts += gaps
    } else if unread.count == 0 {
      return "without times"
    }
    // "times in whole seconds, some without a time zone"
    let isSome = parts.first?.hasPrefix("some") == true
    var text = parts.isEmpty ? "" : (isSome ? "times, " : "times ") + parts.joined(separator: ", ")
    func add(_ part: String) { text += (text.isEmpty ? "" : "; ") + part }
    if unread.count > 0 {
      add(
        "dates of \(counted(unread.count, "line")) are not understood, first in line"
          + " \(unread.line), and their times left out")
    }
    if all.contains(.order) {
      add(disorder)
    } else if let guess, order == nil {
      let first = guess == .dayFirst ? "day" : "month"
      add("no date tells whether the day or the month is first: taken as the \(first)")
    }
    if mayBeginWithYear {
      add("no date tells whether the day or the year is first: taken as the day")
    }
    return text.isEmpty ? nil : text
  }

  private var gaps: [String] {
    if times == 0 { return [] }
    let isEvery = zoneless == times
    let zone = zoneless > 0
    var parts: [String] = []
    if hasWholeFirst && yearless + dateless > 0 {
      parts.append("some without a date or year, taken from the lines before")
    } else if dateless > 0 {
      return ["without a date, taken as of 1970-01-01" + (zone ? " in UTC" : "")]
    } else if yearless > 0 {
      return [
        zone
          ? "without a year and a time zone, taken as of 1970 in UTC"
          : "without a year, taken as of 1970"
      ]
    }
    if zone { parts.append((isEvery ? "" : "some ") + "without a time zone, taken as UTC") }
    return parts
  }
}
