// SPDX-License-Identifier: Apache-2.0
internal import TapEvidence
internal import TapTraffic

/// Findings and remarks about the times of a log.
extension LogClock {
  /// Reports what the times lack, each thing once.
  mutating func report(_ place: Place, _ sink: any EvidenceSink) {
    let all = caveats.all
    if all == caveats.reported { return }
    let new = all.subtracting(caveats.reported)
    caveats.reported = all
    if !new.isDisjoint(with: [.zone, .year, .date]) {
      sink.finding(.logClock, .note, place.origin(0), "the times of this log have \(missing)")
    }
    if new.contains(.unread) {
      sink.finding(
        .logClock, .note, place.origin(0),
        "the date of line \(caveats.unread.line) is not understood: its time is left out")
    }
    if new.contains(.order) {
      sink.finding(.logClock, .note, place.origin(0), "\(disorder)")
    }
  }

  private var missing: String {
    let zone = caveats.zoneless > 0 ? " and no time zone" : ""
    if caveats.hasWholeFirst && caveats.yearless + caveats.dateless > 0 {
      return "no date, or no year, on some lines: they are taken from the lines before"
    }
    if caveats.dateless > 0 { return "no date\(zone): they are shown as of 1970-01-01, UTC" }
    if caveats.yearless > 0 { return "no year\(zone): they are shown as of 1970, UTC" }
    return "no time zone: they are taken as UTC"
  }

  /// Why dates written as numbers are in doubt.
  private var disorder: String {
    if caveats.contradiction > 0 {
      return "dates of this log have the day first and the month first, line"
        + " \(caveats.contradiction) otherwise than those before: what may be either is a guess"
    }
    let (first, other) = caveats.guess == .dayFirst ? ("day", "month") : ("month", "day")
    return
      "\(counted(caveats.guessed, "date")) of this log were read with the \(first) first before"
      + " one showed that the \(other) is: times until then are wrong by months"
  }

  /// What is to be known of the times, in a few words; nil when there is nothing.
  var remark: String? {
    var parts: [String] = []
    if let precision = caveats.precision {
      if precision == 0 { parts.append((isMixed ? "some " : "") + "in whole seconds") }
      parts += gaps
    } else if caveats.unread.count == 0 {
      return "without times"
    }
    // "times in whole seconds, some without a time zone"
    let isSome = parts.first?.hasPrefix("some") == true
    var text = parts.isEmpty ? "" : (isSome ? "times, " : "times ") + parts.joined(separator: ", ")
    func add(_ part: String) { text += (text.isEmpty ? "" : "; ") + part }
    if caveats.unread.count > 0 {
      add(
        "dates of \(counted(caveats.unread.count, "line")) are not understood, first in line"
          + " \(caveats.unread.line), and their times left out")
    }
    if !caveats.all.isDisjoint(with: .order) {
      add(disorder)
    } else if let guess = caveats.guess, caveats.order == nil {
      let first = guess == .dayFirst ? "day" : "month"
      add("no date tells whether the day or the month is first: taken as the \(first)")
    }
    if caveats.mayBeginWithYear {
      add("no date tells whether the day or the year is first: taken as the day")
    }
    return text.isEmpty ? nil : text
  }

  private var gaps: [String] {
    if caveats.times == 0 { return [] }
    let isEvery = caveats.zoneless == caveats.times
    let zone = caveats.zoneless > 0
    var parts: [String] = []
    if caveats.hasWholeFirst && caveats.yearless + caveats.dateless > 0 {
      parts.append("some without a date or year, taken from the lines before")
    } else if caveats.dateless > 0 {
      return ["without a date, taken as of 1970-01-01" + (zone ? " in UTC" : "")]
    } else if caveats.yearless > 0 {
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
