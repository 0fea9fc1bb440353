// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Findings about searches for records.
extension TLSReport {
  func reportFound(
    _ found: RecordSearch.Found, _ search: RecordSearch, _ who: String, _ origin: Origin,
    _ listener: any Listener
  ) {
    let opened = "a TLS record opened as number \(found.sequence)"
    func report(_ severity: Finding.Severity, _ text: String) {
      listener.finding(.resynchronised, severity, origin, text)
    }
    if search.missing == nil && !opening.isFromStart {
      let update = found.candidate.generation.map { $0 > 0 ? ", after a KeyUpdate" : "" } ?? ""
      return report(
        .note, "which secret fits what \(who) sent was found by trying: \(opened)\(update)")
    }
    if search.isLate {
      return report(.note, "with the secret that came late for what \(who) sent, \(opened)")
    }
    let size = search.missing.map { $0 == 0 ? "" : " of \(counted($0, "byte"))" } ?? ""
    var records = ""
    if found.candidate.generation == 0 {
      let lost = found.sequence &- search.due
      records = ": \(lost) of its TLS records \(lost == 1 ? "is" : "are") missing"
    } else if let generation = found.candidate.generation {
      records = " of new keys: \(generation == 1 ? "a KeyUpdate is" : "KeyUpdates are") missing"
    }
    report(.warning, "behind a gap\(size) in what \(who) sent, \(opened)\(records)")
  }

  /// A search has ended without a record.
  func reportNothingFound(
    _ search: RecordSearch, isOwnLimit: Bool, _ who: String, _ origin: Origin,
    _ listener: any Listener
  ) {
    let count = search.count + search.dropped
    if count == 0 { return }
    let whose = isOwnLimit ? "one direction" : "all connections together"
    let reason =
      search.isExhausted
      ? ", and as much was tried as may be for \(whose): nothing more of it is read" : ""
    listener.finding(
      .framingLost, .warning, origin,
      "\(counted(count, "byte")) of \(who) behind a gap did not open as TLS records\(reason)")
  }

  /// The gap is within one record.
  func reportBroken(_ record: Record, missing: Int, _ origin: Origin, _ listener: any Listener) {
    listener.finding(
      .recordIncomplete, .warning, origin,
      "\(counted(missing, "byte")) of a TLS record of \(counted(record.size, "byte")) were not"
        + " captured, and so it stays closed")
  }

  /// The rest of a record will not come.
  func reportUnfinished(_ count: Int, _ origin: Origin, _ listener: any Listener) {
    listener.finding(
      .recordIncomplete, .warning, origin,
      "a TLS record ends unfinished: \(counted(count, "byte")) of it were captured, and stay"
        + " closed")
  }

  mutating func reportUnopened(_ who: String, _ origin: Origin, _ listener: any Listener) {
    reportOnce(
      .recordUnopened, .warning, origin, listener,
      "a TLS record of \(who) does not open with the secret of the key log: it was changed on the"
        + " way, or the secret is of another session")
  }
}
