// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// The words that all reports use.
extension CheckReport {
  /// The name of an input; `argument` and `standard input` are not files.
  func file(_ input: UInt16) -> String {
    Int(input) < inputs.count ? inputs[Int(input)] : inputs.first ?? ""
  }

  /// `#3  1.002000  RESULT com.user.get  (packet 482)`.
  func line(_ message: MessageReference, about: String) -> String {
    var parts: [String] = []
    if message.connection > 0 { parts.append("#\(message.connection)") }
    if let time = since(message.time) { parts.append(time) }
    let name = message.name.description
    parts.append(about.isEmpty ? name : "\(name) \(about)")
    let place = place(message)
    return parts.joined(separator: "  ") + (place.isEmpty ? "" : "  (\(place))")
  }

  /// `packet 482`, `line 7`, with the input's name if there are several.
  func place(_ message: MessageReference) -> String {
    if message.record == 0 { return "" }
    let unit = message.isLine ? "line" : "packet"
    let input = inputs.count > 1 ? "\(file(message.input)) " : ""
    return "\(input)\(unit) \(message.record)"
  }

  /// Seconds since the first message, to the microsecond; nil without times.
  func since(_ time: Instant) -> String? {
    guard time.isKnown, start.isKnown else { return nil }
    let nanoseconds = time.nanoseconds &- start.nanoseconds
    let sign = nanoseconds < 0 ? "-" : ""
    return sign + DurationText.seconds(nanoseconds.magnitude, places: 6)
  }

  /// `1 fails, 2 pass, 1 is inconclusive`.
  var tally: String {
    let words: [(Verdict, String, String)] = [
      (.fail, "fails", "fail"), (.pass, "passes", "pass"),
      (.inconclusive, "is inconclusive", "are inconclusive"),
      (.nothing, "has nothing to check", "have nothing to check"),
    ]
    return words.compactMap { verdict, one, more in
      let count = count(verdict)
      return count == 0 ? nil : "\(count) \(count == 1 ? one : more)"
    }.joined(separator: ", ")
  }

  /// Nanoseconds from the first message to the last.
  var duration: Int64 {
    start.isKnown && end.isKnown ? end.nanoseconds &- start.nanoseconds : 0
  }
}

extension CheckResult {
  /// The type in reports: the code of a finding, or `each`.
  var type: String {
    switch subject {
    case .expectation(let form): form.description
    case .finding(let code, _): code.name
    case .evidence: "evidence"
    }
  }

  var severity: Finding.Severity {
    if case .finding(_, let severity) = subject { return severity }
    return verdict == .fail ? .error : .warning
  }

  /// It does not pass.
  var isWrong: Bool { verdict != .pass }

  /// A fingerprint that is the same in every run.
  var fingerprint: String { Fingerprint.of(["", "", "", name]) }
}
